set -eu
"$DOCKER" load --quiet --input "$ARCHIVE"
"$DOCKER" build --quiet --no-cache --force-rm --tag "$IMAGE-built" - < "$DOCKERFILE"
"$DOCKER" image rm --force "$IMAGE-built" "$IMAGE"

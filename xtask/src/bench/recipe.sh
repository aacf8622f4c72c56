set -eu
root="$(mktemp -d)"
tag="drydock-bench-by-hand:$$"
mkdir "$root/context"
git archive --format=tar HEAD | tar -xf - -C "$root/context"
"$DOCKER" image pull --platform linux/amd64 -- "$IMAGE_REF"
"$DOCKER" build --platform linux/amd64 --build-arg "AUTO_ENVIRONMENT_BASE=$IMAGE_REF" \
    --file "$DOCKERFILE" --tag "$tag" "$root/context"
"$DOCKER" run --rm --platform linux/amd64 "$tag" /bin/sh -lc \
    "set -eu; test \"\$(uname -m)\" = x86_64; test \"\$(id -u)\" != 0; git --version; $SMOKE"
"$DOCKER" image rm --force "$tag"
rm -rf -- "$root"

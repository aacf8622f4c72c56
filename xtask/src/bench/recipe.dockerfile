ARG AUTO_ENVIRONMENT_BASE=debian:bookworm
FROM ${AUTO_ENVIRONMENT_BASE}
USER root
# PROBE
RUN apt-get update \
  && apt-get install -y --no-install-recommends git passwd \
  && rm -rf /var/lib/apt/lists/*
RUN test -x /bin/sh && command -v git >/dev/null
RUN apt-get update && apt-get install -y --no-install-recommends make && rm -rf /var/lib/apt/lists/*
RUN set -eu \
  && if ! getent group user >/dev/null 2>&1; then groupadd user; fi \
  && if ! id -u user >/dev/null 2>&1; then useradd -m -s /bin/bash -g user user; fi \
  && mkdir -p /workspace/widgets \
  && chown -R user:user /workspace/widgets /home/user
COPY --chown=user:user . /workspace/widgets
USER user
WORKDIR /workspace/widgets
RUN /bin/sh -lc 'set -eu; make environment-setup'

# Everything that is downloaded here is pinned: the base image by its full version, packages by their hashes.
FROM python:3.13.14-slim-trixie AS base

FROM base AS build
WORKDIR /src
# Only wheels: a package that is built here would download tools that no lock names.
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ONLY_BINARY=:all:
# Packages are compiled here: the bot cannot write there, and would compile everything at each start.
RUN python -m venv --without-pip /opt/gnau
COPY requirements.lock ./
RUN pip --python /opt/gnau/bin/python install --no-deps --require-hashes -r requirements.lock
COPY build.lock ./
RUN pip install --no-deps --require-hashes -r build.lock
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY cogs cogs
COPY docs/verify.html docs/verify.html
RUN pip wheel --no-deps --no-index --no-build-isolation --wheel-dir dist . \
    && pip --python /opt/gnau/bin/python install --no-deps --no-index dist/*.whl

FROM base
RUN useradd --system --uid 999 --create-home --home-dir /srv/gnau gnau && mkdir /srv/gnau/data && chown gnau /srv/gnau/data
COPY --from=build /opt/gnau /opt/gnau
ENV PATH=/opt/gnau/bin:$PATH PYTHONUNBUFFERED=1 METRICS_ADDRESS=127.0.0.1:9464
USER gnau
WORKDIR /srv/gnau
VOLUME /srv/gnau/data
# Not whether it is ready: a restart brings neither Discord nor a disk back, and costs logins.
HEALTHCHECK --interval=30s --timeout=10s --start-period=2m CMD ["gnau", "health", "--live"]
CMD ["gnau", "run"]

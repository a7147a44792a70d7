FROM python:3.13-slim AS build
WORKDIR /src
RUN pip install --no-cache-dir uv
COPY requirements.lock ./
RUN uv venv /opt/gnau && uv pip install --python /opt/gnau --require-hashes --no-cache -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY cogs cogs
RUN uv pip install --python /opt/gnau --no-deps --no-cache .

FROM python:3.13-slim
RUN useradd --system --create-home --home-dir /srv/gnau gnau && mkdir /srv/gnau/data && chown gnau /srv/gnau/data
COPY --from=build /opt/gnau /opt/gnau
ENV PATH=/opt/gnau/bin:$PATH PYTHONUNBUFFERED=1
USER gnau
WORKDIR /srv/gnau
VOLUME /srv/gnau/data
CMD ["gnau", "run"]

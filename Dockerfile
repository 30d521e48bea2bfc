# The server, with the driver of PostgreSQL: docker build -t fullprime . (docs/hosting.md)
FROM python:3.13-slim-bookworm AS build
WORKDIR /source
COPY pyproject.toml hatch_build.py README.md LICENSE NOTICE.md ./
COPY deploy/server.txt deploy/build.txt deploy/
COPY src src
# Every dependency has the version and the hash of the lock; the tools that build the wheel do not come along.
RUN python -m venv /opt/fullprime /opt/build \
    && /opt/build/bin/pip install --no-cache-dir --require-hashes -r deploy/build.txt \
    && /opt/build/bin/python -m build --wheel --no-isolation --outdir /wheel . \
    && /opt/fullprime/bin/pip install --no-cache-dir --require-hashes -r deploy/server.txt \
    && /opt/fullprime/bin/pip install --no-cache-dir --no-deps /wheel/*.whl

FROM python:3.13-slim-bookworm
COPY --from=build /opt/fullprime /opt/fullprime
# Games and compiled kernels live under /data, the one place that is written to.
RUN useradd --system --uid 10001 --create-home --home-dir /data fullprime
ENV PATH=/opt/fullprime/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    FULLPRIME_DB=/data/games.db \
    FULLPRIME_KERNEL_CACHE=/data/kernels
USER fullprime
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/api/health', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["fullprime"]
CMD ["serve", "--host", "0.0.0.0"]

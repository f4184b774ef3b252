# A recipe for a container image of a release. NOT BUILT by this project's own checks, which have no container builder:
# src/test/java/tallystick/ContainerRecipeTest.java checks only that it copies what a release holds, and its user.
#
#   mvn -Pdist -DskipTests package
#   docker build -t tallystick .
#   docker run --rm -v "$PWD/reports:/home/tally/reports" tallystick run quickstart
#
FROM eclipse-temurin:21-jre AS unpacked
RUN apt-get update && apt-get install -y --no-install-recommends unzip && rm -rf /var/lib/apt/lists/*
COPY target/tallystick-*.zip /tmp/release.zip
RUN unzip -q /tmp/release.zip -d /opt && mv /opt/tallystick-* /opt/tallystick
# Java remembers a short start in a file beside the jar; the user below may not write there.
RUN /opt/tallystick/tally --version

FROM eclipse-temurin:21-jre
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin tally && install -d -o tally /home/tally/reports
COPY --from=unpacked /opt/tallystick /opt/tallystick
USER 10001
WORKDIR /home/tally
ENTRYPOINT ["/opt/tallystick/tally"]
CMD ["--help"]

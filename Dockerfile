# A container image with a shell in it, built from a clone; mvn -Pdist,image package makes one without Docker and without a shell.
# NOT BUILT by this project's own checks, which have no container builder: src/test/java/tallystick/ContainerRecipeTest.java
# checks only what it copies, and its user; .ci/run tries the last RUN of its first stage on the unpacked zip.
#
#   docker build -t tallystick .
#   docker run --rm -v "$PWD/reports:/home/tally/reports" tallystick run quickstart
#
FROM maven:3-eclipse-temurin-21 AS built
COPY . /source
WORKDIR /opt
RUN cd /source && mvn -q -B -ntp -Pdist -Dmaven.test.skip=true clean package && cd /opt \
    && jar xf /source/target/tallystick-*.zip && mv tallystick-* tallystick && chmod 755 tallystick/tally
# Java remembers a short start in files beside the jar; the user below may not write there.
# The sample's run missed an objective, which its report says with 1.
RUN /opt/tallystick/tally --version && { /opt/tallystick/tally report /opt/tallystick/reports/sample || [ $? -eq 1 ]; }

FROM eclipse-temurin:21-jre
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin tally && install -d -o tally /home/tally/reports
COPY --from=built /opt/tallystick /opt/tallystick
ENV TALLY_COMMAND=tally
USER 10001
WORKDIR /home/tally
ENTRYPOINT ["/opt/tallystick/tally"]
CMD ["--help"]

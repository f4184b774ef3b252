package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.SelfSigned;

class DoctorCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String recorded = "metrics-idle.prom";
  private StubServer server;
  private String url;
  @TempDir private Path folder;

  @BeforeEach
  void start() throws IOException {
    server =
        StubServer.ofMetrics(
            exchange -> {
              try (InputStream stream = getClass().getResourceAsStream("/scrape/" + recorded)) {
                return stream.readAllBytes();
              }
            });
    url = server.url();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void findsAnIdleEngineFit() {
    assertThat(run("--target", url, "--objective", "ttft=2s", "--verbose")).isZero();
    assertThat(out.toString()).contains("good  model: tiny", "near it are 1 s");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 120);
  }

  @Test
  void answersOnOneScreenWhetherARunMayBegin() {
    assertThat(run("--target", url, "--objective", "ttft=300ms")).isZero();
    NextLines.check(out.toString());
    assertThat(out.toString())
        .contains("doctor   " + url, "model tiny", "READY    yes, with ")
        .contains("note     bucket edges: ttft objective of 0.3 s lies between two", "NEXT")
        .doesNotContain("good ");
    assertThat(out.toString().lines()).hasSizeLessThan(25).allMatch(line -> line.length() <= 80);
  }

  @ParameterizedTest
  @CsvSource({"ttft=1m30s, 90 s", "ttft=0.7s, 0.7 s", "itl=300ms, 0.3 s", "e2e=2h, 7200 s"})
  void takesAnObjectiveAsPeopleWriteIt(String objective, String seconds) {
    assertThat(run("--target", url, "--objective", objective)).isZero();
    assertThat(out.toString()).contains("objective of " + seconds);
  }

  @Test
  void refusesAnObjectiveThatIsNoTime() {
    assertThat(run("--target", url, "--objective", "ttft=fast")).isEqualTo(2);
    assertThat(err.toString()).contains("'fast' is not a time: write for example 0.7s, 300ms");
  }

  @ParameterizedTest
  @CsvSource({
    "itl=-1s, is not a limit", "ttft=0s, is not a limit", "ttft=300, write 300s for seconds",
    "ttft=-1, has no unit", "ttft=.5, has no unit", "ttft=1m30, did you mean 1m30s"
  })
  void anObjectiveIsRefusedThatNoScenarioCouldHold(String objective, String words) {
    assertThat(run("--target", url, "--objective", objective)).isEqualTo(2);
    assertThat(err.toString()).contains(words);
  }

  /** As a run would be: it does not begin there, whatever the metrics look like. */
  @ParameterizedTest
  @CsvSource({
    "401, wants an API key (HTTP 401)", "403, --api-key-env NAME", "429, its model is not known",
    "503, wait until it is up", "307, redirects are not followed"
  })
  void theDoorOfOneServerIsAskedAsARunAsksIt(int status, String words) {
    server.answer("/v1/models", status);
    assertThat(run("--target", url)).isEqualTo(3);
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("READY no: a run would not begin", words)
        .doesNotContain("./tally run");
  }

  @Test
  void theNextCommandIsLetInAsThisOneWas() throws Exception {
    String pem = SelfSigned.in(folder).pem().toString();
    assertThat(run("--target", url, "--ca-file", pem, "--api-key-env", "PATH")).isZero();
    assertThat(out.toString().replaceAll("(\\\\?\\s+)+", " "))
        .contains(
            "steady-chat.yaml --target " + url + " --set request.ca_file=" + pem
                + " --api-key-env PATH",
            "./tally doctor --target " + url + " --ca-file " + pem
                + " --api-key-env PATH --verbose")
        .as("what a shell would choke on")
        .doesNotContain("(all");
  }

  @Test
  void doesNotTrustABusyEngine() {
    recorded = "metrics-preempt-during0.prom";
    assertThat(run("--target", url)).isEqualTo(4);
    assertThat(out.toString()).contains("READY    no: a run could not be trusted", "traffic: ");
  }

  @Test
  void failsWhereNothingAnswers() {
    server.close();
    assertThat(run("--target", url)).isEqualTo(3);
    assertThat(out.toString()).contains("READY    no: ", "does not answer");
  }

  @Test
  void looksAtEachEngineBehindAGatewayAndAnswersOnceForAll() throws IOException {
    try (StubServer other = StubServer.ofMetrics(exchange -> new byte[0])) {
      int code =
          run("--target", other.url() + "/", "--metrics-url", url, "--metrics-url", other.url());
      assertThat(code).isEqualTo(3);
      assertThat(out.toString())
          .contains("doctor   " + url + "   behind " + other.url(), "READY    yes")
          .contains("doctor   " + other.url() + "   behind", "READY    no")
          .contains("doctor   " + other.url() + "   2 engines behind it", "engines: 1 of 2 not")
          .doesNotContain("./tally run");
      assertThat(out.toString()).containsOnlyOnce("NEXT");
    }
  }

  @Test
  void aGatewayThatIsNotThereIsToldAsARunWould() throws IOException {
    recordedBehind("http://127.0.0.1:1");
    assertThat(out.toString())
        .contains("READY    no: a run would not begin", "http://127.0.0.1:1 cannot be asked")
        .doesNotContain("./tally run");
  }

  @Test
  void anEngineThatIsNamedTwiceUnderTwoNamesIsToldAndUnderOneIsRefused() {
    String alias = url.replace("127.0.0.1", "localhost");
    assertThat(run("--target", url, "--metrics-url", url, "--metrics-url", alias)).isEqualTo(4);
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("same engine: this is the process of " + url, "would be added twice");
    assertThat(run("--target", url, "--metrics-url", url, "--metrics-url", url)).isEqualTo(2);
    assertThat(err.toString()).contains("--metrics-url names one engine twice");
  }

  private void recordedBehind(String gateway) throws IOException {
    try (StubServer other = StubServer.ofMetrics(exchange -> new byte[0])) {
      assertThat(run("--target", gateway, "--metrics-url", url, "--metrics-url", other.url()))
          .isEqualTo(3);
    }
  }

  @Test
  void metricsUrlsMustFitTheTargets() {
    assertThat(
            run(
                "--target", url, "--target", "http://127.0.0.1:2", "--target",
                "http://127.0.0.1:3", "--metrics-url", url, "--metrics-url", "http://127.0.0.1:2"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("got 2 for 3 targets");
    assertThat(run("--target", url, "--metrics-url", "http://127.0.0.1:1")).isEqualTo(3);
    assertThat(run("--target", "http://127.0.0.1:1", "--metrics-url", url)).isEqualTo(3);
    assertThat(out.toString()).contains("READY    no: a run would not begin");
    assertThat(run("--target", url, "--metrics-url", url)).isZero();
    assertThat(out.toString().replaceAll("(\\\\?\\s+)+", " "))
        .contains("./tally run scenarios/steady-chat.yaml --target " + url + " --metrics-url");
  }

  @Test
  void refusesAFileThatHoldsNoAuthority() {
    assertThat(run("--target", url, "--ca-file", "pom.xml")).isEqualTo(2);
    assertThat(err.toString()).contains("--ca-file: pom.xml holds no usable certificates");
  }

  @Test
  void refusesAnObjectiveWithoutAHistogram() {
    assertThat(run("--target", url, "--objective", "largest_gap=1s")).isEqualTo(2);
    assertThat(err.toString()).contains("'largest_gap' is none of ttft, itl, tpot, e2e");
  }

  private int run(String... arguments) {
    String[] quick = Arrays.copyOf(arguments, arguments.length + 2);
    quick[arguments.length] = "--every";
    quick[arguments.length + 1] = "0";
    return CommandRun.alone(new DoctorCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(quick);
  }
}

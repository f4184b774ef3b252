package tallystick.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.run.Progress;
import tallystick.run.Progress.EngineGauges;
import tallystick.run.Progress.Stage;
import tallystick.run.Progress.Waits;

class ProgressDisplayTest {
  private static final String UP = "\u001b[8A";
  private final StringWriter shown = new StringWriter();
  private final TerminalWriter out = new TerminalWriter(shown);

  @ParameterizedTest
  @ValueSource(ints = {60, 80, 200})
  void bothSidesAreDrawnInPlaceAndNoLineWraps(int columns) {
    ProgressDisplay display = ProgressDisplay.onTerminal(out, columns);
    for (int second = 0; second < 100; second++) {
      display.show(load(second));
    }
    display.close();
    String[] drawings = shown.toString().split(java.util.regex.Pattern.quote(UP));
    assertThat(drawings).hasSize(100);
    List<String> lines = drawings[99].replace("\r", "").replace("\u001b[K", "").lines().toList();
    assertThat(lines).hasSize(8).allMatch(line -> line.length() < columns);
    assertThat(lines.getFirst()).startsWith("load 99s/100s  sent 198/1000  in flight 3");
    assertThat(lines.get(1)).contains("client").contains("engine");
    assertThat(lines.get(2)).startsWith("TTFT").contains("299 ms", "250 ms", "█");
    assertThat(lines.get(3)).startsWith("ITL").contains("20 ms", "19 ms");
    assertThat(lines.get(5)).startsWith("waiting").endsWith("█");
    assertThat(lines.get(6)).startsWith("KV cache").contains("50 %").endsWith("▅");
    assertThat(lines.get(7)).startsWith("preempted").contains("99");
  }

  @Test
  void aFigureIsOfTheLastSecondsAndADashWhereNothingEnded() {
    LiveView view = new LiveView(80);
    view.take(load(1));
    assertThat(view.lines().get(1)).matches("TTFT +- +-");
    view.take(load(2));
    assertThat(view.lines().get(1)).contains("202 ms");
    Progress idle = load(2);
    for (int i = 0; i < 4; i++) {
      view.take(idle);
    }
    assertThat(view.lines().get(1)).contains("202 ms");
    view.take(idle);
    assertThat(view.lines().get(1)).matches("TTFT +- .*");
  }

  @Test
  void anEngineThatIsNotReadIsADashAndNotZero() {
    LiveView view = new LiveView(80);
    Progress blind =
        new Progress(
            Stage.MEASURING, 0, 0, 9, 1, 1, 0, 0, 0, Waits.NONE, Double.NaN,
            EngineGauges.UNKNOWN);
    view.take(blind);
    view.take(blind);
    assertThat(view.lines()).noneMatch(line -> line.contains("NaN"));
    assertThat(view.lines().subList(4, 7)).allMatch(line -> line.matches("[A-Za-z ]+ -"));
  }

  @Test
  void aNarrowTerminalHasOneLine() {
    ProgressDisplay display = ProgressDisplay.onTerminal(out, 40);
    display.show(load(1));
    display.show(load(2));
    assertThat(shown.toString().replaceAll("\u001b\\[\\w+|\r", "").lines())
        .hasSize(2)
        .allMatch(line -> line.length() < 40);
  }

  @Test
  void elsewhereThereIsAPlainLineEveryFiveSeconds() {
    ProgressDisplay display = ProgressDisplay.plain(out);
    for (int second = 0; second < 11; second++) {
      display.show(load(second));
    }
    assertThat(shown.toString().lines()).hasSize(3).noneMatch(line -> line.contains("\u001b"));
    assertThat(shown.toString()).contains("TTFT mean", "| run 3 wait 10 KV 50% preempt 10");
  }

  @Test
  void whatIsNoCountIsNotShownAsOne() {
    EngineGauges odd = new EngineGauges(2, -1, Double.NaN, Double.POSITIVE_INFINITY, Waits.NONE);
    ProgressDisplay.plain(out)
        .show(new Progress(Stage.MEASURING, 0, 0, 9, 1, 1, 0, 0, 0, Waits.NONE, Double.NaN, odd));
    assertThat(shown.toString()).contains("| run ? wait 2 KV ?% preempt ?");
  }

  /** Who leaves as planned is no failure, and only told where there is one. */
  @Test
  void requestsThatWereLeftAreNotShownAsFailed() {
    Progress left =
        new Progress(
            Stage.MEASURING, 0, 0, 0, 9, 1, 4, 1, 3, Waits.NONE, Double.NaN,
            EngineGauges.UNKNOWN);

    assertThat(ProgressDisplay.line(left)).endsWith("ok 4  failed 1  left 3");
    assertThat(ProgressDisplay.line(load(1))).doesNotContain("left");
  }

  @Test
  void whoWantsSilenceHasIt() {
    ProgressDisplay.silent().show(load(1));
    assertThat(shown.toString()).isEmpty();
  }

  /** In each second two requests end; the second's TTFT is 200 ms and a little more each time. */
  private static Progress load(int second) {
    double clientFirst = 0;
    for (int i = 1; i <= second; i++) {
      clientFirst += 2 * (0.2 + i / 1000.0);
    }
    long ended = 2L * second;
    return new Progress(
        Stage.MEASURING, second * 1_000_000_000L, 100_000_000_000L, 1000, ended, 3, ended, 0, 0,
        new Waits(clientFirst, ended, ended * 10 * 0.020, ended * 10),
        0.3,
        new EngineGauges(
            second, 3, 0.5, second,
            new Waits(ended * 0.25, ended, ended * 10 * 0.019, ended * 10)));
  }
}

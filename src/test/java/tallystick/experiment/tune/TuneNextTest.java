package tallystick.experiment.tune;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.cli.NextLines;

class TuneNextTest {
  private static final Cell CELL = new Cell(1, Map.of("max_num_seqs", "32"));

  @ParameterizedTest
  @MethodSource("answers")
  void whatFollowsAnAnswerCanBeTypedOrIsASentence(TuneAnswer answer) {
    Grid grid = Grid.of(List.of("max_num_seqs=2,32"), Map.of());
    TuneNext next =
        new TuneNext(
            new TuneEnd("chat", "an engine", grid, null, null, null, answer, List.of(), ""));
    NextLines.check(
        next.lines().stream()
            .map(said -> "%-9s%s".formatted(said.head(), said.text()))
            .collect(Collectors.joining("\n", "tune   \n", "\n")));
  }

  private static List<TuneAnswer> answers() {
    Few.Gain gain = new Few.Gain(0.2, 0.1, 0.3);
    Confirmation earned = new Confirmation(CELL, 3, gain, List.of(), false, List.of(), 0);
    Confirmation open = new Confirmation(CELL, 3, gain, List.of(), false, List.of("chance"), 7);
    return List.of(
        new TuneAnswer.Recommended(earned), new TuneAnswer.NotConfirmed(open),
        new TuneAnswer.NotConfirmed(earned), new TuneAnswer.Died(CELL, "out of memory"),
        new TuneAnswer.KeepCurrent(),
        new TuneAnswer.TradeOff(CELL, gain, List.of("ITL"), List.of("itl_p99=70%")),
        new TuneAnswer.TradeOff(CELL, gain, List.of("ITL"), List.of()),
        new TuneAnswer.NoneHolds(), new TuneAnswer.Untrusted("saturated"));
  }
}

package tallystick.answer.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Interpretation.Direction;
import tallystick.analysis.result.Interpretation.DirectionCode;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.Stamp;
import tallystick.analysis.result.WaitPart;

class WordingTest {
  private static final Figure TOO_FEW = Figure.missing("too few scrape intervals");
  private static final Interval OPEN = new Interval(Figure.of(9.98), TOO_FEW, TOO_FEW);

  /** On a real vLLM the queue was all of a rise of 9.9 s beside "no part carries a real share". */
  @Test
  void aPartThatCarriesTheRiseIsNamedWhereNoIntervalIsKnown() {
    assertThat(noDirection(OPEN, 0.99))
        .isEqualTo(
            "Nothing is named: queue carries 99 % of the rise of TTFT, but how much of that is"
                + " chance is n/a (too few scrape intervals).");
  }

  @Test
  void aPartWithinItsIntervalIsNoRise() {
    assertThat(noDirection(Interval.of(9.98, -1, 20), 0.99)).contains("beyond its interval");
    assertThat(noDirection(OPEN, 0.4)).contains("beyond its interval");
  }

  @Test
  void twoCausesThatNothingTellsApartAreBothNamed() {
    Direction slow = direction(DirectionCode.SLOW_PREFILL, "a slow prefill: it takes longer");
    Direction split = direction(DirectionCode.PREFILL_IN_MORE_STEPS, "more steps: a smaller step");
    Direction load = direction(DirectionCode.MORE_LOAD, "more load: more requests come");

    assertThat(Wording.foremost(of(List.of(), List.of()))).isEmpty();
    assertThat(Wording.foremost(of(List.of(), List.of(load, slow)))).hasValue(likely(load.text()));
    assertThat(Wording.foremost(of(List.of(), List.of(slow, load)))).hasValue(likely(slow.text()));
    assertThat(Wording.foremost(of(List.of(), List.of(slow, split))))
        .hasValue(likely("a slow prefill, or more steps: these figures cannot tell which"));
  }

  private static String likely(String cause) {
    return "Likely cause (phase spike): " + cause + ".";
  }

  private static Direction direction(DirectionCode code, String cause) {
    return new Direction(
        code, cause, List.of(), List.of(), List.of(), List.of(), "");
  }

  private static Interpretation of(List<Change> changes, List<Direction> directions) {
    return new Interpretation(
        true, "", "", "phase spike", changes, List.of(), List.of(), directions, Stamp.NONE);
  }

  private static String noDirection(Interval rise, double share) {
    Change.Part whole =
        new Change.Part(
            WaitPart.WHOLE, Figure.of(0.2), Figure.of(10.2), OPEN, Figure.of(1), false);
    Change.Part queue =
        new Change.Part(
            WaitPart.QUEUE, Figure.of(0), Figure.of(9.98), rise, Figure.of(share), false);
    return Wording.noDirection(
        of(List.of(new Change(Latency.TTFT, whole, List.of(queue))), List.of()));
  }
}

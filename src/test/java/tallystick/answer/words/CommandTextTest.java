package tallystick.answer.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A command that is longer than a line breaks where a reader would break it. */
class CommandTextTest {
  @Test
  void anOptionStaysWithItsValueAndWhatFollowsIsIndented() {
    assertThat(CommandText.lines("NEXT ", "./tally run a.yaml --set x=1 --target http://a:1", 34))
        .containsExactly(
            "NEXT ./tally run a.yaml \\",
            "         --set x=1 \\",
            "         --target http://a:1");
  }

  @Test
  void anOptionThatHoldsItsValueTakesNoOther() {
    assertThat(CommandText.lines("", "./tally run --seed=1234567 b.yaml", 30))
        .containsExactly("./tally run --seed=1234567 \\", "    b.yaml");
  }

  @Test
  void aWordThatIsTooLongForTheIndentBeginsFurtherLeft() {
    assertThat(CommandText.lines("NEXT ", "./tally open a/very/long/folder/name", 24))
        .containsExactly("NEXT ./tally open \\", "a/very/long/folder/name");
  }

  @Test
  void whatItIsForFollowsWhereThereIsRoom() {
    assertThat(CommandText.lines("", "./tally open a  # its page", 30))
        .containsExactly("./tally open a # its page");
  }
}

package tallystick.report.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Section;
import tallystick.answer.Tone;

class ScreenWriterTest {
  @Test
  void rowsGiveWayInTheOrderOfTheirRankAndTheRestIsCounted() {
    String text = ScreenWriter.text(answer(40), Terminal.PLAIN);
    assertThat(text.lines().toList()).hasSize(24);
    assertThat(text)
        .startsWith("\ncapacity   chat on vLLM 0.32.0   9 min\nVERDICT  21 requests/s hold\n")
        .contains("\n         0  99", "and 23 rates farther off", "NEXT     ./tally open reports")
        .doesNotContain("        39 ");
  }

  @Test
  void whatFitsIsWhole() {
    assertThat(ScreenWriter.text(answer(3), Terminal.PLAIN))
        .contains("         0  99", "         2  99")
        .doesNotContain("farther off");
  }

  @Test
  void ofSeveralListsTheLongestGivesWayFirst() {
    List<String> many = IntStream.range(0, 30).mapToObj(i -> "reason " + i + " of them").toList();
    Answer answer =
        Answer.of("study", "chat")
            .verdict(Tone.CAUTION, "no threshold is proven")
            .say(Tone.PLAIN, "REFUSED", many, 1, 1, new Block.Rest("one more", "%d more"))
            .say(Tone.PLAIN, "EARNED", List.of("a", "b"), 1, 100, Block.Rest.NONE)
            .comesTo(AnswerStatus.TOO_CLOSE);
    String text = ScreenWriter.text(answer, Terminal.PLAIN);
    assertThat(text.lines().toList()).hasSizeLessThanOrEqualTo(24);
    assertThat(text).contains("REFUSED  reason 0", "more\nEARNED   a").doesNotContain("         b");
  }

  @Test
  void theFirstLineOfAnAccountIsIndentedAsTheOthers() {
    List<Block> lines =
        List.of(new Block.Text(Tone.PLAIN, "one"), new Block.Text(Tone.PLAIN, "two"));
    Answer answer =
        Answer.of("lint", "rules.yaml")
            .verdict(Tone.BAD, "wrong")
            .detail(Section.of("findings", "", lines))
            .comesTo(AnswerStatus.FAILS);
    assertThat(ScreenWriter.withAccount(answer, Terminal.PLAIN)).endsWith("-\n  one\n  two\n");
  }

  @Test
  void aWideTerminalIsUsed() {
    String sentence = "word ".repeat(30).strip();
    Answer answer =
        Answer.of("lint", "rules.yaml").verdict(Tone.BAD, sentence).comesTo(AnswerStatus.FAILS);
    assertThat(ScreenWriter.text(answer, Terminal.PLAIN).lines())
        .allMatch(line -> line.length() <= 80);
    assertThat(ScreenWriter.text(answer, new Terminal(false, 120)).lines())
        .anyMatch(line -> line.length() > 100)
        .allMatch(line -> line.length() <= 120);
  }

  @Test
  void theAccountStandsBelowARule() {
    assertThat(ScreenWriter.withAccount(answer(2), Terminal.PLAIN))
        .containsPattern("NEXT .*\n+-{80}\n+All of it\n +The rest\\.");
  }

  private static Answer answer(int rows) {
    List<Block.Row> table =
        IntStream.range(0, rows)
            .mapToObj(
                i -> Block.Row.of(Cell.of("" + i), Cell.of("99 %")).spare(i == 0 ? 0 : i))
            .toList();
    return Answer.of("capacity", "chat on vLLM 0.32.0", "9 min")
        .verdict(Tone.GOOD, "21 requests/s hold")
        .trust(Tone.GOOD, "yes")
        .block(
            new Block.Table(
                "Rates", false, List.of(Column.number("requests/s"), Column.number("good")),
                table, Block.Rest.of("and %d rates farther off")))
        .next("./tally open reports")
        .detail(
            Section.of("all", "All of it", new Block.Text(Tone.PLAIN, "The rest.")))
        .comesTo(AnswerStatus.GOOD);
  }
}

package tallystick.report.writing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.answer.Block;
import tallystick.answer.Document;
import tallystick.answer.Mark;
import tallystick.answer.Tone;

class MarkdownWriterTest {
  /** On the terminal such an item goes on with the one before it. */
  @Test
  void anItemWithoutAWordIsABulletWithoutAColon() {
    Block items =
        new Block.Items(
            false,
            List.of(
                new Block.Item(new Mark(Tone.BAD, "VERDICT"), "regressed", "", List.of()),
                new Block.Item(Mark.NONE, "passed: ttft", "", List.of())));
    assertThat(MarkdownWriter.text(new Document("regress", List.of(), List.of(items), List.of())))
        .contains("- VERDICT: regressed\n- passed: ttft\n");
  }
}

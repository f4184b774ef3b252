package tallystick.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypedNameTest {
  @ParameterizedTest
  @CsvSource({
    "NEXT ./tally open x, NEXT tally open x",
    "./tally run; ./tally report x, tally run; tally report x",
    "(./tally fit), (tally fit)",
    "../tally run, ../tally run",
    "a/./tally run, a/./tally run",
    "./tall ./tally-ho 0.5 ./, ./tall ./tally-ho 0.5 ./",
    ".././tally run, .././tally run",
    "'it ends. ./tally run', 'it ends. tally run'"
  })
  void onlyTheCommandOfACloneIsReplaced(String said, String shown) {
    StringWriter text = new StringWriter();
    new TerminalWriter(text, "tally").write(said);
    assertThat(text.toString()).isEqualTo(shown);
  }
}

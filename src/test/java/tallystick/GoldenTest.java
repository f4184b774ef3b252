package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.junit.jupiter.api.Test;

class GoldenTest {
  @Test
  void layoutIsNotComparedAndWordsAre() throws JsonProcessingException {
    assertThat(Golden.compared("a.txt", "VERDICT  met,\n         all of 3"))
        .isEqualTo(Golden.compared("a.txt", "VERDICT met, all of 3\n"))
        .isNotEqualTo(Golden.compared("a.txt", "VERDICT met, all of 4\n"));
    assertThat(Golden.compared("a.html", Golden.ofPage("<p>P95 &lt; 1 s</p>")))
        .isEqualTo("P95\n<\n1\ns")
        .isEqualTo(Golden.compared("a.html", Golden.ofPage("<dl><dd>P95</dd> &lt; 1 s</dl>")));
    assertThat(Golden.compared("a.json", "{\"a\":1,\"b\":[2]}"))
        .isEqualTo(Golden.compared("a.json", "{ \"a\": 1, \"b\": [ 2 ] }"))
        .isNotEqualTo(Golden.compared("a.json", "{\"a\":1,\"b\":[3]}"));
    assertThat(Golden.compared("a.txt", "./tally open \\\n   reports"))
        .isEqualTo(Golden.compared("a.txt", "./tally open reports"));
  }
}

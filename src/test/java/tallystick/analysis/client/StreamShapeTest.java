package tallystick.analysis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.runrecord.RequestRow.Oddity;

class StreamShapeTest {
  private final StreamShape shape = new StreamShape(new ClientPauses());

  @Test
  void saysInPlainWordsThatARequestWentOutTwice() {
    shape.read(request(0, 0).odd(Oddity.RESENT).build(), 1);
    shape.read(request(1, 1).build(), 1);

    List<Finding> findings = shape.findings(Figure.missing(""), Figure.missing(""));
    assertThat(findings).extracting(Finding::code).containsExactly(Finding.Code.REQUESTS_RESENT);
    assertThat(findings.getFirst().text())
        .isEqualTo("1 of 2 requests went out twice, because their connection was dead.");
  }

  @Test
  void countsWhatIsOddWithoutTheRequestsThatWentOutTwice() {
    shape.read(request(0, 0).odd(Oddity.RESENT).build(), 1);
    shape.read(request(1, 1).odd(Oddity.USAGE_MISSING).build(), 1);

    List<Finding> findings = shape.findings(Figure.missing(""), Figure.missing(""));
    assertThat(findings.getLast().code()).isEqualTo(Finding.Code.ODD_STREAMS);
    assertThat(findings.getLast().evidence()).containsExactly("1 usage missing");
  }

  @Test
  void answersThatStayedOpenAreAFindingOfTheirOwn() {
    shape.read(request(0, 0).odd(Oddity.LEFT_OPEN).build(), 1);
    shape.read(request(1, 1).odd(Oddity.DONE_MISSING).build(), 1);

    List<Finding> findings = shape.findings(Figure.missing(""), Figure.missing(""));
    assertThat(findings)
        .extracting(Finding::code)
        .containsExactly(Finding.Code.ANSWERS_LEFT_OPEN, Finding.Code.ODD_STREAMS);
    assertThat(findings.getFirst().text()).isEqualTo("1 of 2 answers stayed open after their end.");
    assertThat(findings.getLast().evidence()).first().asString().contains("[DONE]");
  }
}

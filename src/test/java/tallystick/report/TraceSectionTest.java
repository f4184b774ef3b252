package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Stamp;
import tallystick.analysis.result.TraceJoin;
import tallystick.answer.Document;
import tallystick.answer.Section;
import tallystick.report.writing.HtmlPage;
import tallystick.report.writing.MarkdownWriter;

class TraceSectionTest {
  private static final String TITLE = "Request by request";

  @Test
  void everyFormatShowsTheJoin() throws IOException {
    RunAnalysis analysis = with(joined());
    assertThat(SampleAnalysis.console(analysis, false))
        .contains(TITLE, "238 of 240 requests joined", "3 spans belong to no request")
        .contains("TTFT, client less engine")
        .satisfies(text -> assertThat(text.lines()).allMatch(line -> line.length() <= 100));
    assertThat(page(analysis))
        .contains("id=\"traces\"", "0 posts refused", "n/a <small>(populations differ)");
    assertThat(MarkdownWriter.text(document(analysis)))
        .contains(TITLE, "| TTFT, client less engine | 238 |");
    assertThat(json(analysis))
        .contains("\"name\" : \"ttft_outside\"", "\"joined\" : 238");
  }

  @Test
  void aRunThatTookNoTracesDoesNotSpeakOfThem() throws IOException {
    RunAnalysis analysis = with(TraceJoin.absent("the run took no traces"));
    assertThat(SampleAnalysis.console(analysis, false)).doesNotContain(TITLE);
    assertThat(page(analysis)).doesNotContain("id=\"traces\"");
    assertThat(MarkdownWriter.text(document(analysis))).doesNotContain(TITLE);
    assertThat(json(analysis)).contains("the run took no traces");
  }

  @Test
  void silenceOfTheEngineIsSaid() {
    TraceJoin silent =
        new TraceJoin(
            true, false, "no span came: set it up", "0 spans", 240, 0, 0, 0, List.of(),
            Stamp.NONE);
    assertThat(SampleAnalysis.console(with(silent), false))
        .contains(TITLE, "n/a (no span came: set it up)");
  }

  private static RunAnalysis with(TraceJoin traces) {
    SampleAnalysis sample = new SampleAnalysis();
    sample.traces = traces;
    return sample.build();
  }

  private static TraceJoin joined() {
    return new TraceJoin(
        true, true, "", "241 spans taken, 2 missing, 0 malformed, 0 posts refused", 240, 238, 241,
        3,
        List.of(
            new TraceJoin.Part(
                TraceJoin.SpanTime.TTFT_OUTSIDE,
                SampleDistributions.client(238, 0.017, 0.04, 0.016, 0.02, 0.03, 0.035),
                Figure.of(0.0171), Figure.of(-0.0001)),
            new TraceJoin.Part(
                TraceJoin.SpanTime.QUEUE,
                SampleDistributions.tiny(3, "n=3, need 6"),
                Figure.missing("populations differ"), Figure.missing("populations differ"))),
        Stamp.NONE);
  }

  private static Document document(RunAnalysis analysis) {
    return RunDocument.of(analysis, Section.of("alerts", "Alert rules"));
  }

  private static String page(RunAnalysis analysis) {
    return HtmlPage.of(document(analysis), "");
  }

  private static String json(RunAnalysis analysis) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AnalysisJson.write(analysis, out);
    return out.toString(StandardCharsets.UTF_8);
  }
}

package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.RunAnalysis;
import tallystick.report.screen.RunOutcome;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Manifest.Ending.State;

class RunCasesTest {
  @Test
  void countsAViolationAsAFailureAndDoubtAsSkipped() throws Exception {
    Element suite = suite(SampleAnalysis.of());
    assertThat(suite.getAttribute("tests")).isEqualTo("5");
    assertThat(suite.getAttribute("failures")).isEqualTo("1");
    assertThat(suite.getAttribute("skipped")).isEqualTo("1");
    assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(5);
  }

  @Test
  void stampsASimulatedEngineInTheName() throws Exception {
    assertThat(suite(SampleAnalysis.of()).getAttribute("name"))
        .isEqualTo("kv-pressure (simulated engine)");
  }

  /** Of one rate its objectives decide, and no step does. */
  @Test
  void onlyALoadInStepsSaysThatItsPhasesDecide() {
    SampleAnalysis sample = new SampleAnalysis();
    PhaseAnalysis missed = step(8);
    sample.phases = List.of(missed);
    assertThat(SampleAnalysis.console(sample.build(), false)).doesNotContain("all phases together");
    sample.phases = List.of(missed, step(9));
    assertThat(SampleAnalysis.console(sample.build(), false)).contains("all phases together");
  }

  private static PhaseAnalysis step(double rate) {
    return SampleLater.step("step", rate, Judged.MISSED, SampleLater.phase().goodput());
  }

  @Test
  void makesAnIncompleteRecordAnError() throws Exception {
    String evil = "\"/><x>\u0000\n& ]]>";
    RunAnalysis analysis =
        new SampleAnalysis()
            .withRun(
                SampleAnalysis.facts("c", "m", State.FAILED, evil, Manifest.Source.REAL))
            .build();
    Element suite = suite(analysis);
    assertThat(suite.getAttribute("errors")).isEqualTo("1");
    assertThat(((Element) suite.getElementsByTagName("error").item(0)).getAttribute("message"))
        .startsWith("Failed: the run broke off.")
        .endsWith("Reason: \"/><x> & ]]>");
  }

  private static Element suite(RunAnalysis analysis) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    JUnitSuite.of(
            Reports.answer(analysis, List.of(), Path.of("run"), false))
        .write(out);
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(out.toByteArray()))
        .getDocumentElement();
  }
}

package tallystick.report;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.scenario.PlainText;

/**
 * {@code junit.xml}: the objectives and the trust in the measurement as test cases. A violated
 * objective is a failure, a measurement that cannot be trusted an error, what cannot be told is
 * skipped with its reason and never passes.
 */
final class JUnitXml {
  private JUnitXml() {}

  private enum Outcome {
    PASSED,
    FAILURE,
    ERROR,
    SKIPPED
  }

  private record Case(String group, String name, Outcome outcome, String text) {}

  /**
   * Writes the whole file; the caller closes the stream.
   *
   * @throws IOException if the stream does not take it
   */
  static void write(RunAnalysis analysis, OutputStream out) throws IOException {
    List<Case> cases = new ArrayList<>();
    cases.add(record(analysis));
    cases.add(ledger(analysis.reconciliation()));
    analysis.objectives().forEach(result -> cases.add(objective(result)));
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out, "UTF-8");
      xml.writeStartDocument("UTF-8", "1.0");
      suite(xml, analysis.run(), cases);
      xml.writeEndDocument();
      xml.writeCharacters("\n");
      xml.flush();
    } catch (XMLStreamException e) {
      throw new IOException(e);
    }
  }

  private static Case record(RunAnalysis analysis) {
    List<String> invalidity = Wording.invalidity(analysis);
    String state = Wording.stateSentence(analysis.run());
    String trouble = invalidity.isEmpty() ? state : String.join(" ", invalidity);
    return new Case(
        "measurement",
        "the record is complete and the measurement valid",
        trouble.isEmpty() ? Outcome.PASSED : Outcome.ERROR,
        trouble);
  }

  private static Case ledger(Reconciliation ledger) {
    Outcome outcome =
        switch (ledger.verdict()) {
          case RECONCILED, RECONCILED_WITH_TOLERANCE -> Outcome.PASSED;
          case NOT_RECONCILED -> Outcome.ERROR;
          case RECONCILED_IN_PART, NOT_CHECKED -> Outcome.SKIPPED;
        };
    String text = outcome == Outcome.PASSED ? "" : Wording.verdictSentence(ledger.verdict());
    return new Case("measurement", "client and engine counted the same", outcome, text);
  }

  private static Case objective(ObjectiveResult result) {
    Outcome outcome =
        switch (result.verdict()) {
          case MET -> Outcome.PASSED;
          case VIOLATED -> Outcome.FAILURE;
          case NOT_PROVEN -> Outcome.SKIPPED;
        };
    String text = result.verdict().words() + ": " + ObjectiveSection.result(result);
    return new Case("objectives", Wording.objective(result.objective()), outcome, text);
  }

  private static void suite(XMLStreamWriter xml, RunAnalysis.RunFacts run, List<Case> cases)
      throws XMLStreamException {
    xml.writeCharacters("\n");
    xml.writeStartElement("testsuite");
    attribute(xml, "name", run.scenario() + " (" + Wording.engine(run.source()) + ")");
    attribute(xml, "tests", String.valueOf(cases.size()));
    attribute(xml, "failures", count(cases, Outcome.FAILURE));
    attribute(xml, "errors", count(cases, Outcome.ERROR));
    attribute(xml, "skipped", count(cases, Outcome.SKIPPED));
    attribute(xml, "timestamp", run.startedUtc().replace("Z", ""));
    attribute(xml, "time", String.format(Locale.ROOT, "%.3f", run.windowSeconds()));
    xml.writeCharacters("\n");
    for (Case each : cases) {
      write(xml, each);
    }
    xml.writeEndElement();
  }

  private static String count(List<Case> cases, Outcome outcome) {
    return String.valueOf(cases.stream().filter(each -> each.outcome() == outcome).count());
  }

  private static void write(XMLStreamWriter xml, Case one) throws XMLStreamException {
    xml.writeStartElement("testcase");
    attribute(xml, "classname", one.group());
    attribute(xml, "name", one.name());
    switch (one.outcome()) {
      case PASSED -> {
        if (!one.text().isEmpty()) {
          xml.writeStartElement("system-out");
          xml.writeCharacters(PlainText.printable(one.text()));
          xml.writeEndElement();
        }
      }
      case FAILURE, ERROR, SKIPPED -> {
        xml.writeEmptyElement(one.outcome().name().toLowerCase(Locale.ROOT));
        attribute(xml, "message", one.text());
      }
    }
    xml.writeEndElement();
    xml.writeCharacters("\n");
  }

  // XML knows no control character, not even escaped.
  private static void attribute(XMLStreamWriter xml, String name, String text)
      throws XMLStreamException {
    xml.writeAttribute(name, PlainText.oneLine(text));
  }
}

package tallystick.report;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import tallystick.scenario.PlainText;

/**
 * Test cases as a pipeline reads them.
 *
 * @param name of the suite
 * @param startedUtc ISO 8601; empty where nobody knows
 * @param seconds it took
 */
record JUnitSuite(String name, String startedUtc, double seconds, List<Case> cases) {
  JUnitSuite {
    cases = List.copyOf(cases);
  }

  /** What came of a case. */
  enum Outcome {
    PASSED,
    FAILURE,
    ERROR,
    SKIPPED
  }

  /** One case; its text says why. */
  record Case(String group, String name, Outcome outcome, String text) {}

  /**
   * Writes the whole file; the caller closes the stream.
   *
   * @throws IOException if the stream does not take it
   */
  void write(OutputStream out) throws IOException {
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out, "UTF-8");
      xml.writeStartDocument("UTF-8", "1.0");
      suite(xml);
      xml.writeEndDocument();
      xml.writeCharacters("\n");
      xml.flush();
    } catch (XMLStreamException e) {
      throw new IOException(e);
    }
  }

  private void suite(XMLStreamWriter xml) throws XMLStreamException {
    xml.writeCharacters("\n");
    xml.writeStartElement("testsuite");
    attribute(xml, "name", name);
    attribute(xml, "tests", String.valueOf(cases.size()));
    attribute(xml, "failures", count(Outcome.FAILURE));
    attribute(xml, "errors", count(Outcome.ERROR));
    attribute(xml, "skipped", count(Outcome.SKIPPED));
    attribute(xml, "timestamp", startedUtc.replace("Z", ""));
    attribute(xml, "time", String.format(Locale.ROOT, "%.3f", seconds));
    xml.writeCharacters("\n");
    for (Case each : cases) {
      write(xml, each);
    }
    xml.writeEndElement();
  }

  private String count(Outcome outcome) {
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

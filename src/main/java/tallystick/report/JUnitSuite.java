package tallystick.report;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import tallystick.answer.Answer;
import tallystick.answer.Mark;
import tallystick.answer.TestCase;
import tallystick.scenario.Formatted;
import tallystick.scenario.PlainText;

/** Claims as a pipeline reads them: one case for each, or one for the answer where it has none. */
record JUnitSuite(Answer.Suite suite) {
  /** The claims of an answer. */
  static JUnitSuite of(Answer answer) {
    Answer.Suite suite = answer.suite();
    return new JUnitSuite(
        suite.cases().isEmpty()
            ? new Answer.Suite(
                suite.name(), suite.startedUtc(), suite.seconds(), List.of(only(answer)))
            : suite);
  }

  private static TestCase only(Answer answer) {
    TestCase.Result result =
        switch (answer.outcome()) {
          case GOOD -> TestCase.Result.PASSED;
          case FAILS -> TestCase.Result.FAILURE;
          case MISTAKE, NOT_TRUSTED, WORLD_FAILED -> TestCase.Result.ERROR;
          case TOO_CLOSE -> TestCase.Result.SKIPPED;
        };
    // A pipeline knows a case by its name: what was asked, not how long it took.
    String subject = answer.subject().stream().map(Mark::word).findFirst().orElse("");
    return new TestCase(answer.command(), subject, result, answer.verdict().text());
  }

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
    attribute(xml, "name", suite.name());
    attribute(xml, "tests", String.valueOf(suite.cases().size()));
    attribute(xml, "failures", count(TestCase.Result.FAILURE));
    attribute(xml, "errors", count(TestCase.Result.ERROR));
    attribute(xml, "skipped", count(TestCase.Result.SKIPPED));
    if (!suite.startedUtc().isEmpty()) {
      attribute(xml, "timestamp", suite.startedUtc().replace("Z", ""));
    }
    if (suite.seconds() > 0) {
      attribute(xml, "time", Formatted.of("%.3f", suite.seconds()));
    }
    xml.writeCharacters("\n");
    for (TestCase each : suite.cases()) {
      write(xml, each);
    }
    xml.writeEndElement();
  }

  private String count(TestCase.Result result) {
    return String.valueOf(suite.cases().stream().filter(each -> each.result() == result).count());
  }

  private static void write(XMLStreamWriter xml, TestCase one) throws XMLStreamException {
    xml.writeStartElement("testcase");
    attribute(xml, "classname", one.group());
    attribute(xml, "name", one.name());
    switch (one.result()) {
      case PASSED -> {
        if (!one.text().isEmpty()) {
          xml.writeStartElement("system-out");
          xml.writeCharacters(PlainText.printable(one.text()));
          xml.writeEndElement();
        }
      }
      case FAILURE, ERROR, SKIPPED -> {
        xml.writeEmptyElement(one.result().name().toLowerCase(Locale.ROOT));
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

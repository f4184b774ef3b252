package tallystick.report;

import java.util.List;
import tallystick.scenario.PlainText;

/** HTML being written. Every text passes {@link #escaped}; only literals pass {@link #raw}. */
final class Markup {
  private final StringBuilder out = new StringBuilder();

  /** Text as it may stand in an element or a quoted attribute. */
  static String escaped(String text) {
    return PlainText.printable(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** Markup of our own. */
  Markup raw(String markup) {
    out.append(markup);
    return this;
  }

  Markup text(String text) {
    out.append(escaped(text));
    return this;
  }

  /** One element with text in it; {@code css} is the class, empty for none. */
  Markup element(String tag, String css, String text) {
    return open(tag, css).text(text).close(tag);
  }

  Markup open(String tag, String css) {
    out.append('<').append(tag);
    if (!css.isEmpty()) {
      out.append(" class=\"").append(escaped(css)).append('"');
    }
    out.append('>');
    return this;
  }

  Markup close(String tag) {
    out.append("</").append(tag).append(">\n");
    return this;
  }

  /** The name of a metric, which may break after an underscore. */
  Markup metric(String name) {
    return raw("<code>").raw(escaped(name).replace("_", "_<wbr>")).raw("</code>");
  }

  /** A list of names and values. */
  Markup facts(List<Fact> facts) {
    open("dl", "facts");
    for (Fact fact : facts) {
      raw("<div>").element("dt", "", fact.name()).element("dd", "", fact.value()).raw("</div>\n");
    }
    return close("dl");
  }

  Markup list(String css, List<String> items) {
    if (items.isEmpty()) {
      return this;
    }
    open("ul", css);
    items.forEach(item -> element("li", "", item));
    return close("ul");
  }

  @Override
  public String toString() {
    return out.toString();
  }
}

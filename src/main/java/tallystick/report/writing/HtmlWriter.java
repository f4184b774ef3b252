package tallystick.report.writing;

import java.util.List;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Document;
import tallystick.answer.Drawing;
import tallystick.answer.Fact;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.Chart;
import tallystick.report.markup.DefinitionList;
import tallystick.report.markup.Definitions;
import tallystick.report.markup.Drawn;
import tallystick.report.markup.Markup;
import tallystick.report.picture.Charts;

/** A document as the body of a page. */
final class HtmlWriter {
  private static final int FEWEST_TO_LIST = 4; // fewer are seen at once

  private final Markup html;
  private String section = ""; // names a table that has no name of its own

  private HtmlWriter(Markup html) {
    this.html = html;
  }

  /** Writes title, lead and sections; {@code brand} is the picture above the title. */
  static void write(Markup html, Document document, String brand) {
    HtmlWriter writer = new HtmlWriter(html);
    html.raw("<header>\n<p class=\"brand\">" + brand)
        .raw("<span>Tallystick</span></p>\n")
        .element("h1", "", document.title())
        .open("p", "chips");
    document.marks().forEach(writer::chip);
    html.close("p");
    document.lead().forEach(writer::block);
    html.raw("</header>\n");
    // A picture comes before the list of all that follows.
    document.sections().stream().limit(1).forEach(writer::section);
    contents(html, document.sections());
    document.sections().stream().skip(1).forEach(writer::section);
    boolean isDefined =
        document.sections().stream().anyMatch(one -> one.id().equals(Definitions.ID));
    if (!isDefined) {
      writer.definitions();
    }
  }

  // Every word that is linked has its meaning in the same file.
  private void definitions() {
    List<Definitions.Definition> all = Definitions.of(html.toString());
    if (!all.isEmpty()) {
      folded(
          Section.of(
              Definitions.ID, Definitions.TITLE,
              Drawn.picture(page -> DefinitionList.draw(page, all))));
    }
  }

  private static void contents(Markup html, List<Section> sections) {
    if (sections.size() < FEWEST_TO_LIST) {
      return;
    }
    html.raw("<nav class=\"contents\" aria-label=\"Contents\"><ul>\n");
    for (Section section : sections) {
      html.raw("<li><a href=\"#" + section.id() + "\">").text(section.title()).raw("</a></li>\n");
    }
    html.raw("</ul></nav>\n");
  }

  private void chip(Mark mark) {
    if (mark.isShown()) {
      html.raw("<span class=\"chip " + mark.tone().css() + "\">").text(mark.word());
      html.raw("</span> ");
    }
  }

  private void section(Section section) {
    this.section = section.title();
    if (section.isFolded()) {
      folded(section);
      return;
    }
    html.raw("<section id=\"" + section.id() + "\">\n");
    heading("h2", section.title(), section.mark());
    section.blocks().forEach(this::block);
    html.raw("</section>\n");
  }

  // A link to what lies inside unfolds it, without a script.
  private void folded(Section section) {
    html.raw("<section class=\"folded\"><details><summary><h2>")
        .text(section.title())
        .raw("</h2> ");
    chip(section.mark());
    html.raw("</summary>\n<div id=\"" + section.id() + "\">\n");
    section.blocks().forEach(this::block);
    html.raw("</div></details></section>\n");
  }

  private void heading(String tag, String title, Mark mark) {
    if (!title.isEmpty()) {
      html.open(tag, "");
      html.term(title).raw(" ");
      chip(mark);
      html.close(tag);
    }
  }

  private void block(Block block) {
    switch (block) {
      case Block.Text text -> html.element("p", "text " + text.tone().css(), text.text());
      case Block.Facts facts -> facts(facts.facts());
      case Block.Items items -> items(items);
      case Block.Table table -> table(table);
      case Block.Groups groups -> groups(groups.groups());
      case Block.Picture picture -> draw(picture.drawing());
      case Block.PageOnly details -> details(details);
    }
  }

  private void draw(Drawing drawing) {
    if (drawing instanceof Chart chart) {
      Charts.draw(html, chart);
    } else if (drawing instanceof Drawn drawn) {
      drawn.draw(html);
    } else {
      throw new IllegalArgumentException("no page can draw " + drawing.getClass().getName());
    }
  }

  private void facts(List<Fact> facts) {
    html.open("dl", "facts");
    for (Fact fact : facts) {
      html.raw("<div><dt>");
      html.term(fact.name()).raw("</dt>").element("dd", "", fact.value());
      html.raw("</div>\n");
    }
    html.close("dl");
  }

  private void details(Block.PageOnly details) {
    boolean isFolded = !details.fold().isEmpty();
    if (isFolded) {
      html.raw("<details>").element("summary", "", details.fold());
    }
    details.blocks().forEach(this::block);
    html.raw(isFolded ? "</details>\n" : "");
  }

  private void groups(List<Block.Group> groups) {
    html.raw("<div class=\"groups\">\n");
    for (Block.Group group : groups) {
      html.raw("<div>\n");
      heading("h3", group.title(), group.mark());
      group.blocks().forEach(this::block);
      html.raw("</div>\n");
    }
    html.raw("</div>\n");
  }

  private void items(Block.Items items) {
    boolean isArgued = items.items().stream().anyMatch(item -> !item.arguments().isEmpty());
    if (items.items().isEmpty()) {
      return;
    }
    if (!isArgued) {
      html.open("ul", "items");
      items.items().forEach(this::line);
      html.close("ul");
      return;
    }
    for (int i = 0; i < items.items().size(); i++) {
      argued(items.items().get(i), items.folded(), i == 0);
    }
  }

  private void line(Block.Item item) {
    html.open("li", item.mark().isShown() ? "marked" : "");
    chip(item.mark());
    html.element(item.detail().isEmpty() ? "span" : "b", "", item.text());
    html.raw(item.detail().isEmpty() ? "" : " ");
    if (!item.detail().isEmpty()) {
      html.element("small", "", item.detail());
    }
    html.close("li");
  }

  // Of folded items the first, which is the best supported, is open.
  private void argued(Block.Item item, boolean isFolded, boolean isFirst) {
    String tag = isFolded ? "details" : "article";
    html.raw("<" + tag + " class=\"finding " + item.mark().tone().css() + "\"")
        .raw(isFolded && isFirst ? " open>" : ">");
    String head = isFolded ? "summary" : "h3";
    html.open(head, "");
    chip(item.mark());
    html.text(item.text()).close(head);
    if (!item.detail().isEmpty()) {
      html.element("p", "text muted", item.detail());
    }
    html.open("div", "arguments");
    item.arguments().forEach(this::argument);
    html.close("div").close(tag);
  }

  private void argument(Block.Argument argument) {
    html.open("div", "");
    if (!argument.word().isEmpty()) {
      html.element("p", "word", argument.word());
    }
    html.open("ul", "");
    argument.lines().forEach(line -> html.element("li", "", line));
    html.close("ul").close("div");
  }

  private void table(Block.Table table) {
    if (table.rows().isEmpty()) {
      html.element("p", "text muted", "None.");
      return;
    }
    html.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"")
        .text(table.name().isEmpty() ? section : table.name())
        .raw("\"><table>\n<thead><tr>");
    for (Column column : table.columns()) {
      String tag = column.head().isEmpty() ? "td" : "th scope=\"col\"";
      html.raw("<" + tag + (column.isNumber() ? " class=\"number\">" : ">"));
      html.term(column.head()).raw("</" + tag.substring(0, 2) + ">");
    }
    html.raw("</tr></thead><tbody>\n");
    String previous = "";
    for (Block.Row row : table.rows()) {
      String name = row.cells().getFirst().words();
      row(table, row, table.grouped() && name.equals(previous));
      previous = name;
    }
    html.raw("</tbody></table></div>\n");
  }

  private void row(Block.Table table, Block.Row row, boolean isAgain) {
    html.raw("<tr class=\"" + row.tone().css() + (table.grouped() && !isAgain ? " first" : ""))
        .raw("\"><th scope=\"row\"")
        .raw(table.columns().getFirst().isNumber() ? " class=\"number\">" : ">")
        .raw(isAgain ? "<span class=\"again\">" : "");
    head(row.cells().getFirst());
    html.raw(isAgain ? "</span></th>" : "</th>");
    for (int i = 1; i < row.cells().size(); i++) {
      Cell cell = row.cells().get(i);
      String number = table.columns().get(i).isNumber() ? "number" : "";
      html.raw("<td class=\"" + number + (cell.isMissing() ? " missing\">" : "\">"));
      cell(cell);
      html.raw("</td>");
    }
    html.raw("</tr>\n");
  }

  private void head(Cell cell) {
    boolean isWord =
        cell.tone() == Tone.PLAIN && !cell.isMissing() && cell.note().isEmpty()
            && cell.metric().isEmpty();
    if (isWord) {
      html.term(cell.text());
    } else {
      cell(cell);
    }
  }

  private void cell(Cell cell) {
    if (cell.tone() == Tone.PLAIN) {
      html.text(cell.text());
    } else {
      chip(new Mark(cell.tone(), cell.text()));
    }
    if (cell.isMissing()) {
      html.raw(" ").element("small", "", "(" + cell.reason() + ")");
    }
    if (!cell.note().isEmpty()) {
      html.raw(" ").element("small", "", cell.note());
    }
    if (!cell.metric().isEmpty()) {
      html.raw(" ").metric(cell.metric());
    }
    cell.drawing().ifPresent(this::draw);
  }
}

package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Block;
import tallystick.answer.Fact;
import tallystick.answer.Section;
import tallystick.report.markup.Drawn;
import tallystick.report.markup.Markup;
import tallystick.runrecord.Manifest;

/** What a reader needs to play the run once more, and what the server was set to. */
public final class AgainSection {
  /** Under this name the record's host keeps the command as it was typed. */
  private static final String COMMAND = "command";

  private AgainSection() {}

  public static Section of(RunAnalysis analysis) {
    RunAnalysis.RunFacts run = analysis.run();
    List<Block> blocks = new ArrayList<>();
    blocks.add(Drawn.picture(html -> command(html, run)));
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("scenario", run.scenario()));
    facts.add(new Fact("seed", String.valueOf(run.seed())));
    facts.add(new Fact("run", run.runId()));
    if (!run.prompts().isEmpty()) {
      facts.add(new Fact("prompts", run.prompts()));
    }
    blocks.add(new Block.Groups(List.of(
        Block.Group.of("This run", facts),
        Block.Group.of("Versions", Fact.sorted(run.versions())))));
    List<Fact> settings = Fact.sorted(analysis.engine().settings());
    if (!settings.isEmpty()) {
      blocks.add(new Block.PageOnly("Settings of the engine", List.of(new Block.Facts(settings))));
    }
    return Section.of("again", "Settings, and how to run it again", new Block.PageOnly("", blocks));
  }

  private static void command(Markup html, RunAnalysis.RunFacts run) {
    String typed = run.host().getOrDefault(COMMAND, "");
    String verb = run.source() == Manifest.Source.VIRTUAL ? "simulate" : "run";
    String text =
        typed.isEmpty() ? "./tally " + verb + " SCENARIO --seed " + run.seed() : "./tally " + typed;
    html.raw("<pre class=\"command\" tabindex=\"0\">").text(text).raw("</pre>\n")
        .element(
            "p", "text muted",
            typed.isEmpty()
                ? "The record does not hold the command that was typed. SCENARIO is the file of "
                    + run.scenario() + "; record/plan.json holds every request."
                : "The same seed gives the same requests at the same moments. record/plan.json"
                    + " holds every one of them.");
  }
}

package tallystick.analysis;

import java.time.Instant;
import java.util.Locale;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.RequestCounts;
import tallystick.analysis.result.RunAnalysis;
import tallystick.plan.LoopShape;
import tallystick.plan.Settings;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.PromptForm;
import tallystick.scenario.Target;

/** What the run was, for the report's head. */
final class RunDescription {
  private static final long NANOS = 1_000_000_000L;

  private RunDescription() {}

  static RunAnalysis.RunFacts of(
      Manifest manifest, Settings settings, MeasuredWindow window, RequestCounts counts) {
    long start = window.originNanos();
    long end = counts.ended() > 0 ? counts.lastEndNanos() : start;
    return new RunAnalysis.RunFacts(
        manifest.runId(),
        manifest.scenario(),
        manifest.source(),
        manifest.ending().state(),
        manifest.ending().detail(),
        settings.loop() == LoopShape.CLOSED,
        isWarmCache(manifest, settings),
        manifest.model(),
        Target.loaded(manifest.targets()).map(Target::url).toList(),
        manifest.seed(),
        manifest.labels(),
        manifest.versions(),
        manifest.host(),
        utc(manifest, start),
        utc(manifest, end),
        counts.windowSeconds(),
        prompts(manifest.prompts()));
  }

  private static String prompts(PromptForm form) {
    return form == PromptForm.UNKNOWN ? "" : form.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** An engine started for the run has an empty cache even for prompts seen before. */
  static boolean isWarmCache(Manifest manifest, Settings settings) {
    return settings.options().samePrompts()
        && switch (manifest.source()) {
          case REAL, SIMULATED -> true;
          case EMBEDDED, VIRTUAL, UNKNOWN -> false;
        };
  }

  private static String utc(Manifest manifest, long nanos) {
    if (manifest.clock().originUtcNanos() <= 0) {
      return "not known";
    }
    long utcNanos = manifest.clock().originUtcNanos() + nanos;
    return Instant.ofEpochSecond(Math.floorDiv(utcNanos, NANOS), Math.floorMod(utcNanos, NANOS))
        .toString();
  }
}

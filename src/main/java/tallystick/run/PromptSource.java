package tallystick.run;

import java.time.Duration;
import java.util.List;
import tallystick.openai.PromptFit;
import tallystick.openai.PromptWriter;
import tallystick.openai.ServerProbe;
import tallystick.plan.Settings;
import tallystick.reach.ApiAccess;
import tallystick.runrecord.Manifest;

/** Makes the run's prompt writer from what the first server tells of its vocabulary. One thread. */
final class PromptSource {
  /** A busy server answers late, one that hangs never. */
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(10);

  private final Manifest manifest;
  private final Settings settings;
  private final ServerProbe probe;

  PromptSource(Manifest manifest, Settings settings, ApiAccess api) {
    this.manifest = manifest;
    this.settings = settings;
    this.probe =
        new ServerProbe(
            manifest.targets().get(0).url(), api, settings.access().caFile(), PROBE_TIMEOUT);
  }

  /**
   * A writer in the server's own words, if it can be asked for them without harm: one that told its
   * version, as vLLM does, or that has a tokenizer. Another might take the question for a request.
   */
  PromptWriter careful() {
    boolean toldItsVersion =
        manifest.versions().keySet().stream().anyMatch(name -> name.startsWith("engine"));
    return toldItsVersion || probe.hasTokenizer()
        ? asked()
        : new PromptWriter(manifest.nonce(), ServerProbe.madeUpWords(), PromptFit.UNKNOWN);
  }

  /** A writer in the words of a server that is known to check what it is asked. */
  PromptWriter asked() {
    List<String> words = probe.vocabulary(manifest.model());
    PromptFit fit = probe.fit(manifest.model(), settings.endpoint(), words);
    return new PromptWriter(manifest.nonce(), words, fit);
  }
}

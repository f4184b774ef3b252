package tallystick.cli;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.exit.Interruption;
import tallystick.cli.option.EngineFlags;
import tallystick.cli.option.EngineOptions;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EmissionLateness;
import tallystick.simengine.EngineSettings;

/** {@code tally engine}: serves the simulated engine over HTTP until it is interrupted. */
@Command(
    name = "engine",
    description = "Serve a simulated vLLM engine over HTTP until Ctrl-C.")
final class EngineCommand extends ShellCommand {
  private static final int LAST_PORT = 65_535;

  private final Interruption interruption;

  @Option(names = "--host", defaultValue = "127.0.0.1", description = "Address to listen on.")
  private String host;

  @Option(names = "--port", defaultValue = "8000", description = "Port; 0 takes a free one.")
  private int port;

  @Mixin private EngineOptions options;

  EngineCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  /** Starts the engine, says where it listens, and waits. */
  @Override
  public Integer call() throws InterruptedException {
    if (port < 0 || port > LAST_PORT) {
      throw new Mistake(
          "--port " + port + " is not a port: give one from 1 to 65535, or 0 for a free one");
    }
    EngineSettings settings = Mistake.orSay(() -> options.settings(Map.of()));
    try (EmbeddedEngine engine = EmbeddedEngine.start(settings, host, port)) {
      EngineFlags.declared(options.flags(Map.of()))
          .forEach(setting -> console().println(setting.name() + "=" + setting.asked()));
      console().println("simulated engine ready at " + engine.url() + "  (Ctrl-C stops it)");
      CountDownLatch interrupted = new CountDownLatch(1);
      interruption.onInterrupt(interrupted::countDown);
      interrupted.await();
      console().println(lateness(engine.lateness()));
    }
    return ExitCode.GOOD.number();
  }

  /** A simulation that is late is no longer the one that was asked for: say how late it was. */
  private static String lateness(EmissionLateness late) {
    if (late.count() == 0) {
      return "nothing was generated";
    }
    return String.format(
        Locale.ROOT,
        "%,d outputs sent, later than planned by P50 %.2f ms, P99 %.2f ms, at most %.2f ms",
        late.count(), late.quantileMillis(0.5), late.quantileMillis(0.99), late.quantileMillis(1));
  }

}

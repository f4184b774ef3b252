package tallystick.cli.option;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import tallystick.simengine.EngineFlag;
import tallystick.simengine.EngineSettings;

/**
 * Flags of the simulated engine for every command that may start one; commands with flags of their
 * own use the {@code --engine-} form.
 */
@Command
public final class EngineOptions {
  private static final String PREFIX = "--engine-";

  /** What every run has one of, too. */
  private static final String SEED = "seed";

  private CommandSpec command;

  /** Gives the command that these are mixed into an option for each flag. */
  @Spec(Spec.Target.MIXEE)
  void setCommand(CommandSpec mixee) {
    command = mixee;
    EngineFlag.all().forEach(flag -> mixee.addOption(option(flag)));
  }

  /** The engine the flags describe, where they are silent as {@code otherwise} says. */
  public EngineSettings settings(Map<String, String> otherwise) {
    return EngineFlags.settings(flags(otherwise));
  }

  /** The flags by name, where they are silent as {@code otherwise} says. */
  public Map<String, String> flags(Map<String, String> otherwise) {
    ParseResult parsed = command.commandLine().getParseResult();
    Map<String, String> all = new LinkedHashMap<>(otherwise);
    for (EngineFlag flag : EngineFlag.all()) {
      OptionSpec given = parsed.matchedOption(PREFIX + flag.name());
      if (given != null) {
        all.put(flag.name(), text(given.getValue()));
      }
    }
    return all;
  }

  private static String text(Object value) {
    return value instanceof List<?> values
        ? values.stream().map(Object::toString).collect(Collectors.joining(";"))
        : value.toString();
  }

  private static OptionSpec option(EngineFlag flag) {
    OptionSpec.Builder option =
        OptionSpec.builder(names(flag)).description(flag.description().replace("%", "%%"));
    if (flag.isSwitch()) {
      boolean isOn = Boolean.parseBoolean(flag.value());
      return option.type(boolean.class).arity("0").negatable(isOn).build();
    }
    option.paramLabel(flag.valueLabel());
    return flag.isList()
        ? option.type(List.class).auxiliaryTypes(String.class).arity("1").build()
        : option.type(String.class).build();
  }

  private static String[] names(EngineFlag flag) {
    return flag.name().equals(SEED)
        ? new String[] {PREFIX + SEED}
        : new String[] {"--" + flag.name(), PREFIX + flag.name()};
  }
}

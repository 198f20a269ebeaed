package org.svcmailbox.worker.command;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.worker.config.SettingsReader;
import org.svcmailbox.worker.config.WorkerSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root command. */
@Command(
    name = "sea-mq-worker",
    mixinStandardHelpOptions = true,
    versionProvider = WorkerCommand.Version.class,
    description = "Publishes the events of an outbox, and has those of an inbox handled.",
    subcommands = {
      RunCommand.class,
      MigrateCommand.class,
      CheckCommand.class,
      StatusCommand.class,
      ApplyCommand.class,
      OutboxCommand.class,
      InboxCommand.class
    })
final class WorkerCommand implements Runnable {
  private final Map<String, String> environment;
  private final JsonLines out;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "The settings; by default $MAILBOX_WORKER_CONFIG, or else worker.toml.")
  private @Nullable Path config;

  WorkerCommand(Map<String, String> environment, JsonLines out) {
    this.environment = environment;
    this.out = out;
  }

  WorkerSettings settings() {
    Path file = config == null ? SettingsReader.file(environment) : config;
    return SettingsReader.read(file, environment);
  }

  JsonLines out() {
    return out;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = WorkerCommand.class.getPackage().getImplementationVersion();
      return new String[] {"sea-mq-worker " + (version == null ? "(not packaged)" : version)};
    }
  }
}

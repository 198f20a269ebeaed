package org.svcmailbox.worker.command;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.jdbc.OutboxSchema;
import org.svcmailbox.worker.config.WorkerSettings;
import org.svcmailbox.worker.run.Connections;
import org.svcmailbox.worker.run.Worker;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the worker until a signal. */
@Command(name = "run", description = "Publishes and handles until a signal ends it.")
final class RunCommand extends SubCommand {
  private static final Logger LOG = System.getLogger(RunCommand.class.getName());

  @Option(names = "--migrate", description = "Brings the tables up to date first.")
  private boolean migrates;

  @Override
  ExitCode run(WorkerSettings settings, JsonLines out) throws Exception {
    prepare(settings);
    Worker worker = new Worker(settings);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(worker), "stop"));
    worker.start();
    LOG.log(
        Level.INFO,
        "Working for {0}: {1} consumers, {2}; probes at port {3}",
        settings.context(),
        settings.inbox().consumers().size(),
        settings.publisher() == null ? "no publisher" : "a publisher",
        Integer.toString(worker.port()));
    new CountDownLatch(1).await();
    return ExitCode.DONE;
  }

  private void prepare(WorkerSettings settings) {
    try (HikariDataSource source = Connections.forCommand(settings.database())) {
      if (migrates) {
        int unused = OutboxSchema.migrate(source);
      }
      if (OutboxSchema.pending(source) > 0) {
        throw new OutboxException(
            ErrorCode.INVALID_CONFIG, "the tables are not up to date: run migrate first");
      }
    }
  }

  /** A stop requested by a signal is a success. */
  private static void stop(Worker worker) {
    worker.close();
    Runtime.getRuntime().halt(ExitCode.DONE.number());
  }
}

package org.svcmailbox.bench.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.machine.ChildProcesses;
import org.svcmailbox.test.net.PortOffset;

/**
 * The full server of the stock distribution with nothing deployed, as a child process on loopback.
 */
final class StockServer implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final String STARTED = "WFLYSRV0025";

  private final Process process;
  private final double readyMillis;

  private StockServer(Process process, double readyMillis) {
    this.process = process;
    this.readyMillis = readyMillis;
  }

  /** Starts a server and returns once its log has the end of the boot. */
  static StockServer start(Path home, Path output) throws IOException {
    Path log = home.resolve("standalone/log/server.log");
    Files.deleteIfExists(log);
    ProcessBuilder builder = Server.script(home.resolve("bin/standalone.sh"));
    // As in our script, so that signals reach the JVM.
    builder.environment().put("LAUNCH_JBOSS_IN_BACKGROUND", "true");
    builder.command().add("-c");
    builder.command().add("standalone-full.xml");
    builder.command().add("-Djboss.socket.binding.port-offset=" + PortOffset.free());
    Instant launched = Instant.now();
    Process process = ChildProcesses.start(builder, output);
    return new StockServer(process, await(process, log, launched));
  }

  /** Milliseconds from launch to the end of the boot by the log. */
  double readyMillis() {
    return readyMillis;
  }

  ProcessHandle process() {
    return process.toHandle();
  }

  @Override
  public void close() {
    ChildProcesses.stop(process);
  }

  private static double await(Process process, Path log, Instant launched) throws IOException {
    Instant end = launched.plus(START);
    while (process.isAlive() && Instant.now().isBefore(end)) {
      OptionalDouble started =
          Files.exists(log)
              ? StartLog.parse(Files.readAllLines(log), launched, ZoneId.systemDefault())
                  .first(STARTED)
              : OptionalDouble.empty();
      if (started.isPresent()) {
        return started.getAsDouble();
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    ChildProcesses.stop(process);
    throw new IllegalStateException("the stock server did not start: see " + log);
  }
}

package org.svcmailbox.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.logging.LogManager;
import org.svcmailbox.worker.command.WorkerCli;

/** The worker's main class. */
public final class Main {
  private static final String LOGGING = "java.util.logging.config.file";
  private static final String LOG_MANAGER = "java.util.logging.manager";

  private Main() {}

  /** Runs one command, and ends the process with its exit code. */
  public static void main(String[] arguments) {
    // Limits how long a client of the probes may take to send a request and to read the answer, and
    // how many clients there are.
    System.setProperty("sun.net.httpserver.maxReqTime", "10");
    System.setProperty("sun.net.httpserver.maxRspTime", "10");
    System.setProperty("jdk.httpserver.maxConnections", "64");
    keepLogging();
    if (System.getProperty(LOGGING) == null) {
      logToStandardError();
    }
    if (LogManager.getLogManager() instanceof LastingLogManager manager) {
      manager.keep();
    }
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
    System.exit(WorkerCli.run(System.getenv(), out, System.err, arguments));
  }

  private static void keepLogging() {
    if (System.getProperty(LOG_MANAGER) == null) {
      System.setProperty(LOG_MANAGER, LastingLogManager.class.getName());
    }
  }

  private static void logToStandardError() {
    try (InputStream settings = Main.class.getResourceAsStream("logging.properties")) {
      LogManager.getLogManager().readConfiguration(settings);
    } catch (IOException e) {
      throw new UncheckedIOException("the jar is not complete", e);
    }
  }
}

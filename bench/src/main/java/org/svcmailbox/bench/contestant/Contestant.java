package org.svcmailbox.bench.contestant;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Outcome;
import org.svcmailbox.bench.machine.ProcessUsage;

/** A server with queues, in processes of its own, that can do the same work as others. */
public interface Contestant extends AutoCloseable {
  /** Its name on the command line. */
  String name();

  /** Its name in tables. */
  String title();

  /** Its guarantee for a message that it has answered, for tables. */
  String durability();

  /** How to install what it needs; empty if nothing is missing. */
  default Optional<String> missing() {
    return Optional.empty();
  }

  /** Whether it supports a load. */
  boolean can(Load load);

  /**
   * Starts it with new data.
   *
   * @param directory an empty directory for its data
   * @param output file for its output
   */
  void start(Path directory, Path output) throws Exception;

  void create(String queue) throws Exception;

  /** Sends messages as fast as possible. */
  void fill(String queue, int messages) throws Exception;

  /** Loads a queue for this time, or until nothing is left to receive. */
  Outcome run(Load load, String queue, Duration lasting) throws Exception;

  /** Deletes a queue and its messages. */
  void delete(String queue) throws Exception;

  ProcessUsage processes();

  /** Whether it runs in one JVM, whose heap can be measured. */
  boolean isJvm();

  @Override
  void close();
}

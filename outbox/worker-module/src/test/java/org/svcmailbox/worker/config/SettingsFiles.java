package org.svcmailbox.worker.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of a worker in a directory. */
public final class SettingsFiles {
  /** One stream, and one consumer of it. */
  public static final String STREAMS =
      """
      [[stream]]
      name = "VIBESPRO_EVENTS"
      subjects = ["vibespro.event.>"]
      retention = "limits"
      max_age = "7d"
      max_bytes = "10GB"
      storage = "file"
      replicas = 1

      [[consumer]]
      stream = "VIBESPRO_EVENTS"
      durable = "sea__from_vibespro"
      filter_subject = "vibespro.event.>"
      ack_policy = "explicit"
      ack_wait = "120s"
      max_deliver = 20
      max_ack_pending = 50
      handler = "http://127.0.0.1:8000/handle"
      """;

  private final Path directory;

  public SettingsFiles(Path directory) {
    this.directory = directory;
    write("service.token", "token");
    streams(STREAMS);
  }

  public SettingsFiles streams(String toml) {
    return write("streams.toml", toml);
  }

  /** Writes {@code worker.toml}. */
  public SettingsFiles worker(String toml) {
    return write("worker.toml", toml);
  }

  public SettingsFiles write(String name, String content) {
    try {
      Files.writeString(directory.resolve(name), content);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Path worker() {
    return directory.resolve("worker.toml");
  }
}

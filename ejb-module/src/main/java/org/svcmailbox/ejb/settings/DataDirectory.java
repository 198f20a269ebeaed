package org.svcmailbox.ejb.settings;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The directory of this node's files besides the database. */
public final class DataDirectory {
  private static final String SERVICE = "mailbox";

  private DataDirectory() {}

  /**
   * The service's own directory, in WildFly's data directory or else in {@code MAILBOX_DATA_DIR}.
   */
  public static Path mailbox() {
    return of(System.getProperty("jboss.server.data.dir"), System.getenv("MAILBOX_DATA_DIR"));
  }

  static Path of(@Nullable String ofServer, @Nullable String given) {
    String base = ofServer != null ? ofServer : given;
    if (base == null) {
      throw new IllegalStateException("MAILBOX_DATA_DIR does not say where the data is");
    }
    return Path.of(base, SERVICE);
  }
}

package org.svcmailbox.broker;

import java.nio.file.Path;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;

/** The configuration of a broker with small files, for tests. */
final class SmallBroker {
  private SmallBroker() {}

  /** With all of its files below a directory. */
  static Configuration in(Path directory) {
    return new ConfigurationImpl()
        .setSecurityEnabled(false)
        .setJMXManagementEnabled(false)
        .setJournalType(JournalType.NIO)
        .setJournalFileSize(1024 * 1024)
        .setJournalMinFiles(2)
        .setJournalDirectory(directory.resolve("journal").toString())
        .setBindingsDirectory(directory.resolve("bindings").toString())
        .setLargeMessagesDirectory(directory.resolve("large").toString())
        .setPagingDirectory(directory.resolve("paging").toString());
  }
}

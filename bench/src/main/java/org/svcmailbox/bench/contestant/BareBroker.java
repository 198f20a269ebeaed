package org.svcmailbox.bench.contestant;

import java.nio.file.Path;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/** Configuration of a broker with the durability and journal of the service. */
public final class BareBroker {
  public static final String URI = "vm://0";

  private static final long ADDRESS_BYTES = 256L << 20;

  private BareBroker() {}

  /**
   * A configuration without queues.
   *
   * @param directory its data directory
   */
  public static ConfigurationImpl configuration(Path directory) throws Exception {
    ConfigurationImpl configuration = new ConfigurationImpl();
    configuration.setSecurityEnabled(false);
    configuration.setPersistenceEnabled(true);
    configuration.setJournalDirectory(directory.resolve("journal").toString());
    configuration.setBindingsDirectory(directory.resolve("bindings").toString());
    configuration.setPagingDirectory(directory.resolve("paging").toString());
    configuration.setLargeMessagesDirectory(directory.resolve("large").toString());
    configuration.setJournalType(JournalType.NIO);
    configuration.setJournalBufferTimeout_NIO(0);
    configuration.setJournalSyncTransactional(true);
    configuration.setJournalSyncNonTransactional(true);
    configuration.setJournalFileSize(10 << 20);
    configuration.setJournalMinFiles(10);
    configuration.setJournalPoolFiles(20);
    configuration.addAcceptorConfiguration("vm", URI);
    configuration.addAddressSetting(
        "#",
        new AddressSettings()
            .setMaxSizeBytes(ADDRESS_BYTES)
            .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE));
    return configuration;
  }
}

package org.svcmailbox.ejb.preflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Page folders as the broker writes them, without their names. */
class PageFolderRepairTest {
  private static final String ADDRESS = "mailbox.topic.orders.0";
  private static final String IN_VM = "vm://4711";
  private static final int MESSAGES = 100;

  @TempDir private Path data;

  @BeforeEach
  void page() throws Exception {
    inBroker(
        session -> {
          session.createQueue(QueueConfiguration.of(ADDRESS).setRoutingType(RoutingType.ANYCAST));
          try (ClientProducer producer = session.createProducer(ADDRESS)) {
            for (int i = 0; i < MESSAGES; i++) {
              ClientMessage message = session.createMessage(true).putIntProperty("number", i);
              message.getBodyBuffer().writeBytes(new byte[1_000]);
              producer.send(message);
            }
          }
          session.commit();
        });
  }

  @Test
  void aFolderThatHasLostItsNameIsNamedByItsPagesAndNoMessageIsLost() throws Exception {
    Files.write(folder().resolve("address.txt"), new byte[0]);
    PageFolderRepair.repair(paging());
    assertEquals(MESSAGES, received());
  }

  @Test
  void aFolderWhoseNameWasNeverWrittenIsNamedToo() throws Exception {
    Files.delete(folder().resolve("address.txt"));
    PageFolderRepair.repair(paging());
    assertEquals(List.of(ADDRESS), Files.readAllLines(folder().resolve("address.txt")));
  }

  @Test
  void whatIsInOrderStaysAsItIs() throws Exception {
    Files.createDirectory(paging().resolve("empty"));
    PageFolderRepair.repair(paging());
    assertEquals(MESSAGES, received());
    assertEquals(List.of(), list(paging().resolve("empty")));
  }

  @Test
  void aPageThatCannotBeReadIsRefusedByTheNameOfItsFolder() throws Exception {
    Path folder = folder();
    Files.delete(folder.resolve("address.txt"));
    for (Path file : list(folder)) {
      Files.writeString(file, "no page");
    }
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> PageFolderRepair.repair(paging()));
    assertEquals(
        "the page folder " + folder + " has messages, and its address is lost",
        refused.getMessage());
  }

  @Test
  void twoFoldersOfOneAddressAreRefused() throws Exception {
    Path folder = folder();
    Path other = Files.createDirectory(paging().resolve("other"));
    Files.writeString(other.resolve("address.txt"), ADDRESS + "\n");
    Files.delete(folder.resolve("address.txt"));
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> PageFolderRepair.repair(paging()));
    assertEquals(
        "the page folders " + folder + " and " + other + " are both of the address " + ADDRESS,
        refused.getMessage());
  }

  private Path paging() {
    return data.resolve("paging");
  }

  /** The only one that has a page. */
  private Path folder() throws IOException {
    for (Path folder : list(paging())) {
      if (list(folder).stream().anyMatch(file -> file.toString().endsWith(".page"))) {
        return folder;
      }
    }
    throw new AssertionError("nothing was paged");
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found.toList();
    }
  }

  private int received() throws Exception {
    List<Integer> numbers = new ArrayList<>();
    inBroker(
        session -> {
          try (ClientConsumer consumer = session.createConsumer(ADDRESS)) {
            ClientMessage next;
            while (numbers.size() < MESSAGES && (next = consumer.receive(5_000)) != null) {
              numbers.add(next.getIntProperty("number"));
              // The broker reads no further while so many are unacknowledged.
              next.acknowledge();
              session.commit();
            }
          }
        });
    return (int) numbers.stream().distinct().count();
  }

  private interface Work {
    void in(ClientSession session) throws Exception;
  }

  private void inBroker(Work work) throws Exception {
    EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    broker.setConfiguration(configuration());
    broker.start();
    try (ServerLocator locator = ActiveMQClient.createServerLocator(IN_VM);
        ClientSessionFactory factory = locator.createSessionFactory();
        ClientSession session = factory.createTransactedSession()) {
      session.start();
      work.in(session);
    } finally {
      broker.stop();
    }
  }

  private Configuration configuration() throws Exception {
    return new ConfigurationImpl()
        .setSecurityEnabled(false)
        .setJMXManagementEnabled(false)
        .setJournalType(JournalType.NIO)
        .setJournalFileSize(1024 * 1024)
        .setJournalMinFiles(2)
        .setJournalDirectory(data.resolve("journal").toString())
        .setBindingsDirectory(data.resolve("bindings").toString())
        .setLargeMessagesDirectory(data.resolve("large").toString())
        .setPagingDirectory(paging().toString())
        .addAcceptorConfiguration("in-vm", IN_VM)
        .addAddressSetting(
            "mailbox.#",
            new AddressSettings()
                .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)
                .setMaxSizeBytes(10_000)
                .setPageSizeBytes(20_000));
  }
}

package org.svcmailbox.ejb.broker;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.paging.PagingManager;
import org.apache.activemq.artemis.core.postoffice.Binding;
import org.apache.activemq.artemis.core.postoffice.QueueBinding;
import org.apache.activemq.artemis.core.remoting.impl.invm.InVMAcceptorFactory;
import org.apache.activemq.artemis.core.remoting.impl.invm.InVMConnection;
import org.apache.activemq.artemis.core.remoting.impl.invm.InVMConnectorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.remoting.server.RemotingService;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager3;
import org.apache.activemq.artemis.utils.FileUtil;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.broker.NameJournalFiles;
import org.svcmailbox.broker.RefuseBrokers;
import org.svcmailbox.broker.RefuseLateAcknowledgements;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.letters.LetterSegments;
import org.svcmailbox.ejb.link.BrokerAccess.Login;

/**
 * An Artemis broker in this process with the settings the service asks for, over a journal in a
 * directory. {@link #crash} leaves it as a kill would: the next one starts from a copy of the files
 * as they are at that moment.
 */
public final class EmbeddedArtemis implements AutoCloseable {
  private static final AtomicInteger SERVER_IDS = new AtomicInteger();
  private static final String ACCEPTOR = "remote";
  private static final String LOOPBACK = "127.0.0.1";
  private static final SimpleString OURS = SimpleString.of("mailbox.");

  /** How often the files of a running broker are copied before one that keeps going is a fault. */
  private static final int COPIES = 20;

  private final int id;
  private final Path directory;
  private final Options options;
  private final EmbeddedActiveMQ server = new EmbeddedActiveMQ();

  /** 0 until it listens. */
  private int port;

  /** As on the application server: who is in this process is trusted, others show their name. */
  private static final class Trust implements ActiveMQSecurityManager3 {
    @Override
    public @Nullable String validateUser(
        @Nullable String user, @Nullable String password, RemotingConnection connection) {
      if (connection.getTransportConnection() instanceof InVMConnection) {
        return "trusted";
      }
      return validateUser(user, password) ? user : null;
    }

    @Override
    public @Nullable String validateUserAndRole(
        @Nullable String user,
        @Nullable String password,
        Set<Role> roles,
        CheckType check,
        String address,
        RemotingConnection connection) {
      return validateUser(user, password, connection);
    }

    @Override
    public boolean validateUser(@Nullable String user, @Nullable String password) {
      return new Login(user, password).equals(login());
    }

    @Override
    public boolean validateUserAndRole(
        @Nullable String user, @Nullable String password, Set<Role> roles, CheckType check) {
      return validateUser(user, password);
    }
  }

  /** Options that a test may change. */
  public record Options(
      AddressSettings settings,
      int journalBufferBytes,
      boolean persistDeliveryCount,
      boolean syncNonTransactional,
      boolean durable,
      long memoryBytes) {
    private static final long AMPLE = 500L * 1024 * 1024;

    /** As the service runs it; payloads over half a megabyte do not fit the journal's buffer. */
    public static Options standard() {
      return new Options(EmbeddedArtemis.settings(), 490 * 1024, true, false, true, AMPLE);
    }

    public Options with(AddressSettings other) {
      return new Options(
          other,
          journalBufferBytes,
          persistDeliveryCount,
          syncNonTransactional,
          durable,
          memoryBytes);
    }

    Options withJournalBuffer(int bytes) {
      return new Options(
          settings, bytes, persistDeliveryCount, syncNonTransactional, durable, memoryBytes);
    }

    Options withoutDurability() {
      return new Options(
          settings, journalBufferBytes, false, syncNonTransactional, false, memoryBytes);
    }

    /** With so much memory for the messages of all addresses together. */
    public Options withMemory(long bytes) {
      return new Options(
          settings, journalBufferBytes, persistDeliveryCount, syncNonTransactional, durable, bytes);
    }
  }

  private EmbeddedArtemis(int id, Path directory, Options options) {
    this.id = id;
    this.directory = directory;
    this.options = options;
  }

  /** Starts one in a directory of its own among others. */
  static EmbeddedArtemis start(Path others, Options options) {
    int id = SERVER_IDS.incrementAndGet();
    return new EmbeddedArtemis(id, others.resolve("broker-" + id), options).started();
  }

  private EmbeddedArtemis started() {
    try {
      server.setSecurityManager(new Trust());
      server.setConfiguration(configuration());
      server.start();
      return this;
    } catch (Exception e) {
      throw new IllegalStateException("the embedded broker does not start", e);
    }
  }

  Options options() {
    return options;
  }

  /** The address settings that the service needs. */
  public static AddressSettings settings() {
    return new AddressSettings()
        .setDeadLetterAddress(QueueNames.UNDELIVERABLE)
        .setExpiryAddress(QueueNames.UNDELIVERABLE)
        .setMaxDeliveryAttempts(10)
        .setRedeliveryDelay(0)
        .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)
        .setMaxSizeBytes(200L * 1024 * 1024)
        .setPageSizeBytes(256 * 1024)
        .setMaxReadPageBytes(-1)
        .setPrefetchPageBytes(256 * 1024)
        .setManagementMessageAttributeSizeLimit(-1)
        .setAutoCreateQueues(false)
        .setAutoCreateAddresses(false)
        .setAutoDeleteQueues(false)
        .setAutoDeleteAddresses(false);
  }

  /** The settings that it asks for workers' batch logs. */
  static AddressSettings logSettings() {
    return settings()
        .setAddressFullMessagePolicy(AddressFullMessagePolicy.BLOCK)
        .setMaxSizeBytes(-1)
        .setMaxDeliveryAttempts(-1);
  }

  /** The settings that it asks for dead letters, beyond {@link #settings}. */
  static AddressSettings letterSettings() {
    return new AddressSettings()
        .setPageSizeBytes(256 * 1024)
        .setPrefetchPageBytes((int) LetterSegments.READ_AHEAD_BYTES);
  }

  private static AddressSettings nothingByItself() {
    return new AddressSettings().setAutoCreateQueues(false).setAutoCreateAddresses(false);
  }

  private static QueueConfiguration undeliverable() {
    return QueueConfiguration.of(QueueNames.UNDELIVERABLE)
        .setAddress(QueueNames.UNDELIVERABLE)
        .setAutoCreateAddress(true)
        .setRoutingType(RoutingType.ANYCAST);
  }

  private Configuration configuration() throws Exception {
    return new ConfigurationImpl()
        .setSecurityEnabled(true)
        .setClusterPassword("not the default")
        .setMaxDiskUsage(100)
        .setJMXManagementEnabled(false)
        .setJournalType(JournalType.NIO)
        .setJournalFileSize(4 * 1024 * 1024)
        .setJournalMinFiles(2)
        .setJournalBufferTimeout_NIO(0)
        .setJournalBufferSize_NIO(options.journalBufferBytes())
        .setPersistDeliveryCountBeforeDelivery(options.persistDeliveryCount())
        .setPersistenceEnabled(options.durable())
        .setJournalSyncTransactional(options.durable())
        .setJournalSyncNonTransactional(options.syncNonTransactional())
        .setMessageExpiryScanPeriod(100)
        .setJournalDirectory(directory.resolve("journal").toString())
        .setBindingsDirectory(directory.resolve("bindings").toString())
        .setLargeMessagesDirectory(directory.resolve("large").toString())
        .setPagingDirectory(directory.resolve("paging").toString())
        .addAcceptorConfiguration(
            new TransportConfiguration(InVMAcceptorFactory.class.getName(), serverId()))
        .setGlobalMaxSize(options.memoryBytes())
        .addAddressSetting("#", nothingByItself())
        .addAddressSetting("mailbox.#", options.settings())
        .addAddressSetting("mailbox.log.#", logSettings())
        .addAddressSetting("mailbox.dlq.#", letterSettings())
        .addQueueConfiguration(undeliverable());
  }

  private Map<String, Object> serverId() {
    return Map.of("serverId", Integer.toString(id));
  }

  /** A locator as a connection factory of the server would give it. */
  public ServerLocator locator() {
    return ActiveMQClient.createServerLocatorWithoutHA(
        new TransportConfiguration(InVMConnectorFactory.class.getName(), serverId()));
  }

  /** The user that {@link #remoteLocator} needs. */
  public static Login login() {
    return new Login("service", "secret");
  }

  /** A locator as a service in another process would have it. */
  public ServerLocator remoteLocator() {
    return ActiveMQClient.createServerLocatorWithoutHA(
        new TransportConfiguration(
            NettyConnectorFactory.class.getName(), Map.of("host", LOOPBACK, "port", port())));
  }

  /** The port that it listens on from now on, also when it starts again. */
  private int port() {
    RemotingService remoting = server().getRemotingService();
    try {
      if (remoting.getAcceptor(ACCEPTOR) == null) {
        server().registerBrokerPlugin(new RefuseLateAcknowledgements());
        server().registerBrokerPlugin(new NameJournalFiles());
        server().registerBrokerPlugin(new RefuseBrokers());
        remoting.createAcceptor(ACCEPTOR, "tcp://" + LOOPBACK + ":" + port).start();
      }
    } catch (Exception e) {
      throw new IllegalStateException("the embedded broker does not listen", e);
    }
    port = ((NettyAcceptor) remoting.getAcceptor(ACCEPTOR)).getActualPort();
    return port;
  }

  public ActiveMQServer server() {
    return server.getActiveMQServer();
  }

  public boolean hasQueue(SimpleString name) {
    return server().locateQueue(name) != null;
  }

  boolean hasAddress(SimpleString name) {
    return server().getAddressInfo(name) != null;
  }

  public boolean isPaging(SimpleString address) {
    try {
      return server().getPagingManager().getPageStore(address).isPaging();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Has what comes to an address go to page files from now on. */
  public void page(SimpleString address) {
    try {
      server().getPagingManager().getPageStore(address).startPaging();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until the broker has carried out what is queued for an address' pages. */
  void flushPages(SimpleString address) {
    try {
      server().getPagingManager().getPageStore(address).flushExecutors();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Changes the settings of the running broker for the addresses that match. */
  void change(String match, AddressSettings settings) {
    server().getAddressSettingsRepository().addMatch(match, settings);
  }

  public void destroy(SimpleString queue) {
    try {
      server().destroyQueue(queue);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts again on the same files after {@link #close}. */
  public void startAgain() {
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("the embedded broker does not start again", e);
    }
    if (port != 0) {
      port();
    }
  }

  /** Ends this broker as a kill would, and starts another from what is in the files now. */
  EmbeddedArtemis crash() {
    return crash(files -> {});
  }

  /** As above, and lets {@code meanwhile} have the files before the other starts. */
  EmbeddedArtemis crash(Consumer<Path> meanwhile) {
    int next = SERVER_IDS.incrementAndGet();
    Path copy = directory.resolveSibling("broker-" + next);
    copyAtOneTime(directory, copy);
    discard();
    meanwhile.accept(copy);
    return new EmbeddedArtemis(next, copy, options).started();
  }

  /** Stops in good order and starts again on the same files. */
  EmbeddedArtemis restart() {
    close();
    return new EmbeddedArtemis(SERVER_IDS.incrementAndGet(), directory, options).started();
  }

  /**
   * Makes it what it was when it was started. One that was stopped cannot be, nor one that a broken
   * transaction left something in.
   *
   * @return whether it is
   */
  boolean empty() {
    ActiveMQServer broker = server();
    if (!broker.isStarted() || !broker.getSessions().isEmpty()) {
      return false;
    }
    try {
      for (Binding binding : broker.getPostOffice().getAllBindings().toList()) {
        if (binding instanceof QueueBinding && binding.getAddress().startsWith(OURS)) {
          broker.destroyQueue(binding.getUniqueName(), null, false, true);
        }
      }
      for (SimpleString address : broker.getPostOffice().getAddresses()) {
        if (address.startsWith(OURS)) {
          broker.removeAddressInfo(address, null);
        }
      }
      change("mailbox.#", options.settings());
      change("mailbox.log.#", logSettings());
      change("mailbox.dlq.#", letterSettings());
      broker.createQueue(undeliverable());
      return isWithoutMessages();
    } catch (Exception e) {
      throw new IllegalStateException("the embedded broker cannot be emptied", e);
    }
  }

  /** Bytes of messages that are gone are counted until other threads are done with them. */
  private boolean isWithoutMessages() {
    PagingManager paging = server().getPagingManager();
    Instant deadline = Instant.now().plusMillis(200);
    while (paging.getGlobalSize() != 0 && Instant.now().isBefore(deadline)) {
      LockSupport.parkNanos(1_000_000);
    }
    return paging.getGlobalSize() == 0;
  }

  /** Stops it for good. */
  void discard() {
    close();
    FileUtil.deleteDirectory(directory.toFile());
  }

  /**
   * Copies again when a file went away: the broker may have renamed it, and the copy has it under
   * neither name.
   */
  static void copyAtOneTime(Path from, Path to) {
    for (int attempt = 1; ; attempt++) {
      try {
        copy(from, to);
        return;
      } catch (IOException e) {
        if (!(e instanceof NoSuchFileException) || attempt == COPIES) {
          throw new IllegalStateException("cannot copy the broker's files", e);
        }
        FileUtil.deleteDirectory(to.toFile());
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(each)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path each, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(each, to.resolve(from.relativize(each)));
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the embedded broker does not stop", e);
    }
  }
}

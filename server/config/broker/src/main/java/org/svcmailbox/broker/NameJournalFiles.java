package org.svcmailbox.broker;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.apache.activemq.artemis.core.journal.Journal;
import org.apache.activemq.artemis.core.journal.impl.JournalFile;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.protocol.core.Packet;
import org.apache.activemq.artemis.core.remoting.server.RemotingService;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;

/**
 * Syncs the names of the journals' files before anything in them is answered.
 *
 * <p>Artemis renames a new file without syncing its directory. After a power cut the file may have
 * its earlier name, and the next start then deletes it with everything that was answered. See
 * docs/adr/0029.
 */
public final class NameJournalFiles extends PacketPlugin {
  private volatile Current named = new Current(null, null);

  /** The files that the journals are writing; null for none. */
  private record Current(@Nullable JournalFile messages, @Nullable JournalFile bindings) {
    static Current of(StorageManager storage) {
      return new Current(file(storage.getMessageJournal()), file(storage.getBindingsJournal()));
    }

    private static @Nullable JournalFile file(@Nullable Journal journal) {
      return journal instanceof JournalImpl files ? files.getCurrentFile() : null;
    }

    boolean isSame(Current other) {
      return messages == other.messages && bindings == other.bindings;
    }
  }

  @Override
  void join(RemotingService connections) {
    connections.addOutgoingInterceptor(this);
  }

  /** Sends nothing, and ends the broker, if a name cannot be synced. */
  @Override
  public boolean intercept(Packet packet, RemotingConnection connection) {
    ActiveMQServer owner = server();
    if (owner == null) {
      return true;
    }
    StorageManager storage = owner.getStorageManager();
    Current current = Current.of(storage);
    if (current.isSame(named)) {
      return true;
    }
    try {
      sync(storage.getMessageJournal());
      sync(storage.getBindingsJournal());
    } catch (IOException e) {
      storage.criticalError(e);
      return false;
    }
    named = current;
    return true;
  }

  private static void sync(@Nullable Journal journal) throws IOException {
    if (journal instanceof JournalImpl files) {
      try (FileChannel directory =
          FileChannel.open(
              files.getFileFactory().getDirectory().toPath(), StandardOpenOption.READ)) {
        directory.force(true);
      }
    }
  }
}

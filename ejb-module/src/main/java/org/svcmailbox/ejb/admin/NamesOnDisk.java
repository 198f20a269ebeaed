package org.svcmailbox.ejb.admin;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQIOErrorException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.journal.Journal;
import org.apache.activemq.artemis.core.journal.impl.JournalFile;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.paging.impl.PagingStoreFactoryNIO;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.jspecify.annotations.Nullable;

/**
 * Syncs the names of new files of this process's broker before anything relies on them, which
 * Artemis itself does not do. Any thread.
 *
 * <p>A file in each page folder names the folder's address. When that file is empty, Artemis
 * ignores the folder at its next start, with every message in it.
 *
 * <p>Artemis renames a new journal file before it uses it, and syncing the content does not make
 * the new name durable. After a power cut the file may have its earlier name, and Artemis then
 * deletes it at the next start.
 */
public final class NamesOnDisk {
  private final Supplier<? extends @Nullable ActiveMQServer> inProcess;
  private final Map<PagingStore, File> synced = Collections.synchronizedMap(new WeakHashMap<>());
  private final Map<Journal, JournalFile> named = Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * @param inProcess supplies this process's broker, null when the broker is in another process
   */
  public NamesOnDisk(Supplier<? extends @Nullable ActiveMQServer> inProcess) {
    this.inProcess = inProcess;
  }

  /**
   * Syncs the names of both journals' files, and of the page folders that {@code addresses} have.
   * Each file and folder is synced once.
   */
  public void sync(Collection<SimpleString> addresses) throws ActiveMQException {
    ActiveMQServer server = inProcess.get();
    if (server == null) {
      return;
    }
    sync(server.getStorageManager().getMessageJournal());
    sync(server.getStorageManager().getBindingsJournal());
    for (SimpleString address : addresses) {
      if (server.getAddressInfo(address) != null) {
        sync(store(server, address));
      }
    }
  }

  private void sync(@Nullable Journal journal) throws ActiveMQException {
    if (!(journal instanceof JournalImpl files)) {
      return;
    }
    JournalFile current = files.getCurrentFile();
    if (current == null || current == named.get(journal)) {
      return;
    }
    File directory = files.getFileFactory().getDirectory();
    try {
      sync(directory.toPath());
    } catch (IOException e) {
      throw failed(directory, e);
    }
    named.put(journal, current);
  }

  private static ActiveMQIOErrorException failed(File file, IOException e) {
    return new ActiveMQIOErrorException("cannot sync " + file + ": " + e.getMessage(), e);
  }

  private static PagingStore store(ActiveMQServer server, SimpleString address)
      throws ActiveMQException {
    try {
      return server.getPagingManager().getPageStore(address);
    } catch (Exception e) {
      throw new ActiveMQIOErrorException("no page store of " + address, e);
    }
  }

  private void sync(PagingStore store) throws ActiveMQException {
    File folder = store.getFolder();
    if (folder == null || folder.equals(synced.get(store))) {
      return;
    }
    try {
      Path path = folder.toPath();
      sync(path.resolve(PagingStoreFactoryNIO.ADDRESS_FILE));
      sync(path);
      sync(path.resolveSibling("."));
    } catch (NoSuchFileException e) {
      // The address was deleted meanwhile, with everything in it.
      return;
    } catch (IOException e) {
      throw failed(folder, e);
    }
    synced.put(store, folder);
  }

  private static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}

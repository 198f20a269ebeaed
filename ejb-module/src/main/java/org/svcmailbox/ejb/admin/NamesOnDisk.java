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
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.paging.impl.PagingStoreFactoryNIO;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.jspecify.annotations.Nullable;

/**
 * The folders that the broker of this process pages into. A file in each says which address it
 * belongs to. Artemis writes that file without a sync, and at its next start ignores a folder whose
 * file is empty, with every message in it. So the file is synced before anything relies on it. Any
 * thread.
 */
public final class PageFolders {
  private final Supplier<? extends @Nullable ActiveMQServer> inProcess;
  private final Map<PagingStore, File> synced = Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * @param inProcess gives null when the broker is in another process
   */
  public PageFolders(Supplier<? extends @Nullable ActiveMQServer> inProcess) {
    this.inProcess = inProcess;
  }

  /** Returns when the folders of these addresses, as far as they have one, are named on disk. */
  public void sync(Collection<SimpleString> addresses) throws ActiveMQException {
    ActiveMQServer server = inProcess.get();
    if (server == null) {
      return;
    }
    for (SimpleString address : addresses) {
      if (server.getAddressInfo(address) != null) {
        sync(store(server, address));
      }
    }
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
      // The address was deleted meanwhile, with all that was in it.
      return;
    } catch (IOException e) {
      throw new ActiveMQIOErrorException("cannot sync " + folder + ": " + e.getMessage(), e);
    }
    synced.put(store, folder);
  }

  private static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}

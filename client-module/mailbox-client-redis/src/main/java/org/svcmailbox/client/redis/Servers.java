package org.svcmailbox.client.redis;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.util.Pool;

/** The Redis servers behind one mailbox, with a bounded pool of connections to each. */
interface Servers extends AutoCloseable {
  /** A connection to the server that has the mailbox; closing it returns it. */
  Connection connection();

  /** A connection to a server that another one named; closing it returns it. */
  Connection connection(HostAndPort server);

  /** The server that has the mailbox. */
  HostAndPort address();

  /** The pools of all servers that may ever have the mailbox. */
  Collection<? extends Pool<Connection>> pools();

  /** Asks again which server has the mailbox. */
  void refresh();

  @Override
  void close();

  /** One server. */
  static Servers single(
      HostAndPort address, JedisClientConfig client, GenericObjectPoolConfig<Connection> pool) {
    PooledConnectionProvider provider = new PooledConnectionProvider(address, client, pool);
    return new Servers() {
      @Override
      public Connection connection() {
        return provider.getConnection();
      }

      @Override
      public Connection connection(HostAndPort server) {
        return provider.getConnection();
      }

      @Override
      public HostAndPort address() {
        return address;
      }

      @Override
      public Collection<Pool<Connection>> pools() {
        return List.of(provider.getPool());
      }

      @Override
      public void refresh() {
        // There is only this server.
      }

      @Override
      public void close() {
        provider.close();
      }
    };
  }

  /** A cluster, found through some of its servers. */
  static Servers cluster(
      Set<HostAndPort> some,
      int slot,
      JedisClientConfig client,
      GenericObjectPoolConfig<Connection> pool) {
    ClusterConnectionProvider provider = new ClusterConnectionProvider(some, client, pool);
    return new Servers() {
      @Override
      public Connection connection() {
        return provider.getConnectionFromSlot(slot);
      }

      @Override
      public Connection connection(HostAndPort server) {
        return provider.getConnection(server);
      }

      @Override
      public HostAndPort address() {
        return provider.getNode(slot);
      }

      @Override
      public Collection<? extends Pool<Connection>> pools() {
        return provider.getPrimaryNodes().values();
      }

      @Override
      public void refresh() {
        provider.renewSlotCache();
      }

      @Override
      public void close() {
        provider.close();
      }
    };
  }
}

package org.svcmailbox.bench.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import org.svcmailbox.bench.machine.PeerClasses;
import redis.clients.jedis.HostAndPort;

/**
 * Redisson, called by reflection because {@code bench/redisson/pom.xml} keeps it off every class
 * path. Its queue is a {@link BlockingQueue}.
 */
final class Redisson implements AutoCloseable {
  private static final Path LIBRARY = Path.of("bench/target/redisson/lib");

  private final ClassLoader classes;
  private final Object client;

  private Redisson(ClassLoader classes, Object client) {
    this.classes = classes;
    this.client = client;
  }

  /** Connects with the default settings. */
  static Redisson connect(HostAndPort server) throws IOException, ReflectiveOperationException {
    ClassLoader classes = PeerClasses.in(LIBRARY);
    Class<?> type = classes.loadClass("org.redisson.config.Config");
    Object config = type.getConstructor().newInstance();
    Object single = type.getMethod("useSingleServer").invoke(config);
    single.getClass().getMethod("setAddress", String.class).invoke(single, "redis://" + server);
    Class<?> redisson = classes.loadClass("org.redisson.Redisson");
    return new Redisson(classes, redisson.getMethod("create", type).invoke(null, config));
  }

  /** A queue of bytes. */
  @SuppressWarnings("unchecked") // By its codec.
  BlockingQueue<byte[]> queue(String name) throws ReflectiveOperationException {
    Class<?> codec = classes.loadClass("org.redisson.client.codec.Codec");
    Object bytes =
        classes
            .loadClass("org.redisson.client.codec.ByteArrayCodec")
            .getField("INSTANCE")
            .get(null);
    return (BlockingQueue<byte[]>)
        classes
            .loadClass("org.redisson.api.RedissonClient")
            .getMethod("getBlockingQueue", String.class, codec)
            .invoke(client, name, bytes);
  }

  @Override
  public void close() throws ReflectiveOperationException {
    classes.loadClass("org.redisson.api.RedissonClient").getMethod("shutdown").invoke(client);
  }
}

package org.svcmailbox.spring;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.loop.LoopListener;
import org.svcmailbox.client.loop.MainLoop;

/** The loops of an application's listeners. They start after all other beans, and stop first. */
final class SpringListenerLoops implements SmartLifecycle, SmartInitializingSingleton {
  private static final Logger LOG = System.getLogger(SpringListenerLoops.class.getName());

  private final ConfigurableListableBeanFactory beans;
  private final MailboxProperties properties;
  private final ListenerMailboxes mailboxes;
  private final ObjectProvider<LoopListener> loopListeners;
  private List<SpringListener> listeners = List.of();

  /** The loops by mailbox. */
  private final Map<String, MainLoop<?, ?>> loops = new TreeMap<>();

  SpringListenerLoops(
      ConfigurableListableBeanFactory beans,
      MailboxProperties properties,
      Mailboxes http,
      ObjectProvider<LoopListener> loopListeners) {
    this.beans = beans;
    this.properties = properties;
    this.mailboxes = new ListenerMailboxes(beans, http);
    this.loopListeners = loopListeners;
  }

  @Override
  public void afterSingletonsInstantiated() {
    listeners = ListenerFinder.find(beans);
  }

  @Override
  public boolean isAutoStartup() {
    return properties.listen();
  }

  /** Starts all loops, or none if one of them cannot start. */
  @Override
  public synchronized void start() {
    if (!loops.isEmpty()) {
      return;
    }
    try {
      listeners.forEach(this::start);
    } catch (RuntimeException e) {
      stop();
      throw e;
    }
  }

  private void start(SpringListener listener) {
    String name = listener.mailbox();
    MainLoop.Builder<?, ?> builder =
        listener
            .signature()
            .loop(
                mailboxes.mailbox(name, listener.signature().body(), listener.signature().reply()),
                argument -> listener.call(beans, argument));
    properties.listener(name).configure(builder, this::deadLetters);
    loopListeners.orderedStream().forEach(builder::listener);
    loops.put(name, builder.start());
    LOG.log(Level.INFO, "mailbox {0}: {1} listens", name, listener);
  }

  @SuppressWarnings("unchecked") // The mailbox was looked up by its types.
  private Mailbox<byte[], ?> deadLetters(String name) {
    return (Mailbox<byte[], ?>) mailboxes.mailbox(name, byte[].class, Object.class);
  }

  /** Stops all loops concurrently, and returns when they have ended. */
  @Override
  public synchronized void stop() {
    Duration grace = properties.stopTimeout();
    if (!MainLoop.stopAll(loops.values(), grace)) {
      LOG.log(
          Level.WARNING, "listeners were interrupted after {0}; their messages come back", grace);
    }
    loops.clear();
    mailboxes.close();
  }

  @Override
  public synchronized boolean isRunning() {
    return !loops.isEmpty();
  }

  /** The loops by mailbox, for the health check. */
  synchronized Map<String, MainLoop<?, ?>> loops() {
    return new TreeMap<>(loops);
  }
}

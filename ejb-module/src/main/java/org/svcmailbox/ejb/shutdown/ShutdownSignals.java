package org.svcmailbox.ejb.shutdown;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * SIGTERM and SIGINT, taken before the server acts on them. A server's own shutdown refuses
 * requests at once with an answer of its own; here intake stops with ours, what was begun is
 * drained, and only then does the server end, with exit code 0.
 *
 * <p>The JDK's {@code sun.misc.Signal} is the only way to do so and is there in every JVM that Java
 * EE servers run on; it is called by reflection because the compiler warns of its name. Without it
 * the server's own shutdown still drains, but refuses in its own words.
 */
final class ShutdownSignals {
  private static final Logger LOG = System.getLogger(ShutdownSignals.class.getName());

  private final Map<Object, Object> previous = new LinkedHashMap<>();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final Runnable drain;
  private final Runnable stopIntake;

  private ShutdownSignals(Runnable drain, Runnable stopIntake) {
    this.drain = drain;
    this.stopIntake = stopIntake;
  }

  /**
   * Takes the signals over.
   *
   * @param drain blocks until everything is drained or its deadline has passed
   * @param stopIntake returns at once
   */
  static ShutdownSignals install(Runnable drain, Runnable stopIntake) {
    ShutdownSignals signals = new ShutdownSignals(drain, stopIntake);
    try {
      signals.handle("TERM");
      signals.handle("INT");
    } catch (ReflectiveOperationException e) {
      LOG.log(
          Level.WARNING,
          "Signals cannot be handled here; on SIGTERM the server itself refuses requests: {0}",
          e.toString());
    }
    return signals;
  }

  /** Gives the signals back to whoever had them. */
  void restore() {
    previous.forEach(
        (signal, handler) -> {
          try {
            handleMethod(signal.getClass()).invoke(null, signal, handler);
          } catch (ReflectiveOperationException e) {
            LOG.log(Level.WARNING, "{0} could not be given back: {1}", signal, e.toString());
          }
        });
    previous.clear();
  }

  private void handle(String name) throws ReflectiveOperationException {
    Class<?> signalType = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    Object signal = signalType.getConstructor(String.class).newInstance(name);
    Object handler =
        Proxy.newProxyInstance(
            ShutdownSignals.class.getClassLoader(),
            new Class<?>[] {handlerType},
            (proxy, method, args) -> called(proxy, method, args));
    try {
      previous.put(signal, handleMethod(signalType).invoke(null, signal, handler));
    } catch (InvocationTargetException e) {
      // Another part of the process or the JVM's own options (-Xrs) keep this signal.
      throw new ReflectiveOperationException(name + " is taken", e.getCause());
    }
  }

  private static Method handleMethod(Class<?> signalType) throws ReflectiveOperationException {
    return signalType.getMethod("handle", signalType, Class.forName("sun.misc.SignalHandler"));
  }

  private @Nullable Object called(Object proxy, Method method, Object @Nullable [] args) {
    return switch (method.getName()) {
      case "handle" -> {
        shutDown();
        yield null;
      }
      case "equals" -> args != null && proxy == args[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "ShutdownSignals";
    };
  }

  private void shutDown() {
    stopIntake.run();
    if (begun.compareAndSet(false, true)) {
      LOG.log(Level.INFO, "Told to stop: intake is closed, draining");
      new Thread(this::drainAndExit, "mailbox-shutdown").start();
    }
  }

  private void drainAndExit() {
    try {
      drain.run();
    } finally {
      System.exit(0);
    }
  }
}

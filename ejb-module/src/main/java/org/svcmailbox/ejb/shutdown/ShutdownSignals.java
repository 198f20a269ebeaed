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
 * Handles SIGTERM and SIGINT before the server does, whose own shutdown would refuse requests with
 * its own answers. Here intake stops first, work drains, and then the server ends with exit code 0.
 *
 * <p>Calls the JDK's {@code sun.misc.Signal} by reflection, because the compiler warns of its name.
 * Without it the server still drains, but refuses in its own words.
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

  /** Restores the previous handlers. */
  void restore() {
    previous.forEach(
        (signal, handler) -> {
          try {
            handleMethod(signal.getClass()).invoke(null, signal, handler);
          } catch (ReflectiveOperationException e) {
            LOG.log(
                Level.WARNING, "The handler of {0} was not restored: {1}", signal, e.toString());
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
      // Another part of the process, or -Xrs, has this signal.
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

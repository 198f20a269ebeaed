package org.svcmailbox.outbox.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Ends a process before or after one call of a port: from then on, every call fails. Closing still
 * works, as a database ends the connections of a process that died.
 */
final class Halts {
  private final int at;
  private int points;
  private boolean isDead;

  /** The end of the process. */
  static final class HaltError extends Error {
    private static final long serialVersionUID = 1L;
  }

  /**
   * @param at the point to halt at, from 1: each call has one before it and one after it
   */
  Halts(int at) {
    this.at = at;
  }

  boolean isDead() {
    return isDead;
  }

  /** A port whose calls can be the last. So are those of the ports that it returns. */
  <T> T around(Class<T> port, T target) {
    InvocationHandler handler = (proxy, method, arguments) -> call(target, method, arguments);
    return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, handler));
  }

  private Object call(Object target, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("close")) {
      return invoke(target, method, arguments);
    }
    point();
    Object result = invoke(target, method, arguments);
    try {
      point();
    } catch (HaltError e) {
      if (result instanceof AutoCloseable open) {
        open.close();
      }
      throw e;
    }
    return wrapped(method.getReturnType(), result);
  }

  private <T> Object wrapped(Class<T> type, Object result) {
    boolean isPort = type.isInterface() && type.getName().startsWith("org.svcmailbox.outbox");
    return isPort && !type.isSealed() ? around(type, type.cast(result)) : result;
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private void point() {
    points++;
    isDead |= points == at;
    if (isDead) {
      throw new HaltError();
    }
  }
}

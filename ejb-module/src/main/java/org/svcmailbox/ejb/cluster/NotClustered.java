package org.svcmailbox.ejb.cluster;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.svcmailbox.core.problem.Clustered;
import org.svcmailbox.core.problem.NotClusteredException;

/** Refuses by name what only a server that is alone can do yet. */
public final class NotClustered {
  private NotClustered() {}

  /** A service of which a node of a cluster offers the calls that are {@link Clustered}. */
  public static <T> T of(Class<T> type, T service) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              boolean isOffered =
                  method.isAnnotationPresent(Clustered.class)
                      || method.getDeclaringClass().equals(Object.class);
              if (!isOffered) {
                throw new NotClusteredException();
              }
              try {
                return method.invoke(service, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}

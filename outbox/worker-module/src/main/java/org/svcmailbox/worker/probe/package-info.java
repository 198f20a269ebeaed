/** Health, readiness and metrics of a worker, over HTTP. */
@NullMarked
package org.svcmailbox.worker.probe;

import org.jspecify.annotations.NullMarked;

@NullMarked
package org.svcmailbox.undertow.intake;

import org.jspecify.annotations.NullMarked;

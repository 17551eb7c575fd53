/** Operators that make much of little: how many elements they are asked for, where the file says so. */

/** Numbers that are fixed in the file: an input by its position, an attribute by its name. */
type Numbers<Key> = (which: Key) => readonly number[] | undefined;
type Growth = (input: Numbers<number>, attribute: Numbers<string>) => number | undefined;

/** A size below zero stands for one that is found out, or is cut off. */
const room = (sizes: readonly number[]): number =>
  sizes.reduce((product, size) => product * Math.max(1, Math.abs(size)), 1);

/** An input that holds a shape, or how often each axis is repeated. */
const productOf =
  (position: number): Growth =>
  (input) => {
    const sizes = input(position);
    return sizes && room(sizes);
  };

const attributeProduct =
  (name: string): Growth =>
  (_, attribute) => {
    const sizes = attribute(name);
    return sizes && room(sizes);
  };

/** The largest of several, of those that are known. */
const largest =
  (...several: readonly Growth[]): Growth =>
  (input, attribute) => {
    const known = several.map((each) => each(input, attribute)).filter((size) => size !== undefined);
    return known.length > 0 ? Math.max(...known) : undefined;
  };

const sumOf = (sizes: readonly number[] | undefined): number | undefined =>
  sizes?.reduce((sum, size) => sum + Math.abs(size), 0);

const padsOf: Growth = (_, attribute) => sumOf(attribute("pads"));
const windowed = largest(padsOf, attributeProduct("kernel_shape"));

export const growth: Readonly<Record<string, Growth>> = {
  ConstantOfShape: productOf(0),
  Expand: productOf(1),
  Tile: productOf(1),
  Range: (input) => {
    const [[start], [limit], [step]] = [input(0) ?? [], input(1) ?? [], input(2) ?? []];
    if (start === undefined || limit === undefined || step === undefined) return undefined;
    return Math.max(0, Math.ceil((limit - start) / step));
  },
  Resize: largest(productOf(1), productOf(2), productOf(3)),
  Upsample: largest(productOf(1), attributeProduct("scales")),
  Pad: largest(padsOf, (input) => sumOf(input(1))),
  OneHot: productOf(1),
  RandomNormal: attributeProduct("shape"),
  RandomUniform: attributeProduct("shape"),
  Multinomial: attributeProduct("sample_size"),
  HannWindow: productOf(0),
  HammingWindow: productOf(0),
  BlackmanWindow: productOf(0),
  MelWeightMatrix: (input) => {
    const [bins, length] = [input(0), input(1)];
    return bins && length && room([...bins, ...length]);
  },
  DFT: productOf(1),
  CenterCropPad: productOf(1),
  AffineGrid: productOf(1),
  Col2Im: largest(productOf(1), productOf(2), padsOf),
  RoiAlign: (_, attribute) => room([attribute("output_height")?.[0] ?? 1, attribute("output_width")?.[0] ?? 1]),
  MaxRoiPool: attributeProduct("pooled_shape"),
  MaxUnpool: largest(productOf(2), windowed),
  Conv: windowed,
  ConvInteger: windowed,
  QLinearConv: windowed,
  DeformConv: windowed,
  ConvTranspose: largest(windowed, attributeProduct("output_shape"), attributeProduct("strides"), (_, attribute) =>
    sumOf(attribute("output_padding")),
  ),
  MaxPool: windowed,
  AveragePool: windowed,
  LpPool: windowed,
  TfIdfVectorizer: (_, attribute) => attribute("ngram_indexes")?.reduce((most, index) => Math.max(most, index + 1), 0),
  FeatureVectorizer: (_, attribute) => sumOf(attribute("inputdimensions")),
  TreeEnsemble: attributeProduct("n_targets"),
  TreeEnsembleRegressor: attributeProduct("n_targets"),
};

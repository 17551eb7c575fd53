/** The operators that we open in a file of somebody else: ONNX's own, and those that exporters write beside them. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const standard = words(`
  Abs Acos Acosh Add AffineGrid And ArgMax ArgMin Asin Asinh Atan Atanh Attention AveragePool BatchNormalization
  Bernoulli BitCast BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor BlackmanWindow Cast CastLike Ceil Celu
  CenterCropPad Clip Col2Im Compress Concat ConcatFromSequence Constant ConstantOfShape Conv ConvInteger ConvTranspose
  Cos Cosh CumProd CumSum DFT DeformConv DepthToSpace DequantizeLinear Det Div Dropout DynamicQuantizeLinear Einsum Elu
  Equal Erf Exp Expand EyeLike Flatten Floor GRU Gather GatherElements GatherND Gelu Gemm GlobalAveragePool
  GlobalLpPool GlobalMaxPool Greater GreaterOrEqual GridSample GroupNormalization HammingWindow HannWindow HardSigmoid
  HardSwish Hardmax Identity If InstanceNormalization IsInf IsNaN LRN LSTM LayerNormalization LeakyRelu Less
  LessOrEqual Log LogSoftmax Loop LpNormalization LpPool MatMul MatMulInteger Max MaxPool MaxRoiPool MaxUnpool Mean
  MeanVarianceNormalization MelWeightMatrix Min Mish Mod Mul Multinomial Neg NegativeLogLikelihoodLoss
  NonMaxSuppression NonZero Not OneHot Optional OptionalGetElement OptionalHasElement Or PRelu Pad Pow QLinearConv
  QLinearMatMul QuantizeLinear RMSNormalization RNN RandomNormal RandomNormalLike RandomUniform RandomUniformLike Range
  Reciprocal ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum
  ReduceSumSquare RegexFullMatch Relu Reshape Resize ReverseSequence RoiAlign RotaryEmbedding Round STFT Scan Scatter
  ScatterElements ScatterND Selu SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert
  SequenceLength SequenceMap Shape Shrink Sigmoid Sign SimplifiedLayerNormalization Sin Sinh Size Slice Softmax
  SoftmaxCrossEntropyLoss Softplus Softsign SpaceToDepth Split SplitToSequence Sqrt Squeeze StringConcat
  StringNormalizer StringSplit Sub Sum Swish Tan Tanh TensorScatter TfIdfVectorizer ThresholdedRelu Tile TopK Transpose
  Trilu Unique Unsqueeze Upsample Where Xor`);

/** Classical learning, as scikit-learn is exported. */
const classical = words(`
  ArrayFeatureExtractor Binarizer CastMap CategoryMapper DictVectorizer FeatureVectorizer Imputer LabelEncoder
  LinearClassifier LinearRegressor Normalizer OneHotEncoder SVMClassifier SVMRegressor Scaler TreeEnsemble
  TreeEnsembleClassifier TreeEnsembleRegressor ZipMap`);

/** What quantizers and transformers' optimizers write. None of them loops, reads a file or calls other code. */
const microsoft = words(`
  Attention BiasAdd BiasGelu BiasSplitGelu DequantizeLinear DynamicQuantizeLSTM DynamicQuantizeMatMul
  EmbedLayerNormalization FastGelu FusedConv FusedGemm FusedMatMul GatedRelativePositionBias Gelu GroupNorm
  GroupQueryAttention MatMulInteger16 MatMulIntegerToFloat MatMulNBits MultiHeadAttention NhwcFusedConv NhwcMaxPool Pad
  QAttention QEmbedLayerNormalization QGemm QLinearAdd QLinearAveragePool QLinearConcat QLinearConv
  QLinearGlobalAveragePool QLinearLeakyRelu QLinearMul QLinearReduceMean QLinearSigmoid QLinearSoftmax QLinearWhere
  QuantizeLinear QuickGelu RelativePositionBias RotaryEmbedding SimplifiedLayerNormalization SkipGroupNorm
  SkipLayerNormalization SkipSimplifiedLayerNormalization Trilu Unique`);

const known: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["", new Set(standard)],
  ["ai.onnx.ml", new Set(classical)],
  ["com.microsoft", new Set(microsoft)],
]);

/** Two names stand for the default domain. */
export function domainOf(domain: string): string {
  return domain === "ai.onnx" ? "" : domain;
}

export function isKnownOperator(domain: string, name: string): boolean {
  return known.get(domainOf(domain))?.has(name) ?? false;
}
